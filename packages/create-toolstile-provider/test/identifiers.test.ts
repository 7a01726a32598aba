import { describe, expect, it } from "vitest";
import { identifiersOf } from "../src/identifiers.js";

describe("the names in a provider's package", () => {
  it.each([
    ["toolstile-provider-office-hours", "office-hours", "officeHours", "OfficeHours"],
    ["@shop/toolstile-provider-office-hours", "office-hours", "officeHours", "OfficeHours"],
    ["@shop/toolstile-tea", "tea", "tea", "Tea"],
    ["tea.shop_2", "tea-shop-2", "teaShop2", "TeaShop2"],
    ["toolstile-provider-2fa", "2fa", "guard2fa", "Guard2fa"],
    ["toolstile-provider-", "my-guard", "myGuard", "MyGuard"],
    ["toolstile-provider-delete", "delete", "deleteGuard", "DeleteGuard"],
    ["toolstile-provider-call", "call", "callGuard", "CallGuard"],
  ])("for %s are %s, %s and %s", (name, guard, camel, pascal) => {
    expect(identifiersOf(name, new Set(["call"]))).toEqual({ guard, camel, pascal });
  });
});
