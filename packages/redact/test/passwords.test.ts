import { describe, expect, it } from "vitest";
import { redactor } from "../src/index.js";

const { find } = redactor({ kinds: ["secret.password"] });

/** What is found, as it stands in the text. */
function foundIn(text: string): readonly string[] {
  return find(text).map(({ start, end }) => text.slice(start, end));
}

/** Random, with a sign in it, of a word, and with signs that end other values. */
const values = ["Zx81klo9qK!", "R4xT_9kLm2Qp", "Sommer#Tiger482", "Tr0ub4dor&3"];

describe("a password is found", () => {
  it.each([
    ...["DB_PASS=%", "SMTP_PASS: %", "pass: %", "pw=%", "smtpPass: '%'", "MQTTPASS=%"],
    ...["ansible_become_pass: %", "requirepass: %", "storepass=%", "LDAP_BIND_PW=%"],
    ...["mysql --pwd '%'", "run --password %", "CREATE USER a IDENTIFIED BY '%'"],
    ...["Kennwort: %", "clave: %", "Kata sandi: %", "Lösenordet är %", "Passordet er %"],
    ...["Adgangskoden er %", "Şifreniz: %", "the password is %", "Das Passwort lautet %"],
    ...["パスワードは%です。", "密码是%。", "Mot de passe : « % »", "password：%"],
    ...['let password: &str = "%";', 'val password: String = "%"', 'var password string = "%"'],
    ...['{"password":"%"}', '{\\"password\\":\\"%\\"}', "<password>%</password>"],
    ...['setPassword("%")', "os.getenv('PASSWORD', '%')", "<td>Password</td><td>%</td>"],
    ...['{"name":"DB_PASSWORD","value":"%"}', "- name: DB_PASSWORD\n  value: '%'"],
    ...['{"value":"%","name":"DB_PASSWORD"}', "{ 'value': '%', 'key': 'DB_PASSWORD' }"],
    ...["**Password:** `%`", "DB_PASSWORD: >-\n  %\n", 'variable "password" {\n  default = "%"\n}'],
  ])("where it is said to be one, whatever its signs: %s", (form) => {
    for (const value of values) {
      const text = form.replace("%", () => value);
      expect(foundIn(text)).toEqual([value]);
    }
  });

  it.each([
    "DB_PASSWORD=%\nPORT=1",
    "app:\n  password: %\n  port: 1\n",
    "export DB_PASSWORD=%",
    "- PASSWORD=%",
  ])("to the end of its line, if it stands alone there: %j", (form) => {
    for (const value of ["QAxx46D=w-(cZH^n9X", "xK9(dQ2)vL", "a,b;C9dEf", "Zx{81}klo9"])
      expect(foundIn(form.replace("%", () => value))).toEqual([value]);
  });

  it.each([
    ["https://a.io/?password=Tr0ub4dor3&state=12", "Tr0ub4dor3"],
    ["password=Tr0ub4dor3&user=zoe", "Tr0ub4dor3"],
    ["Server=a;Password=Tr0ub4dor3;Database=b", "Tr0ub4dor3"],
    ["log in with password=Tr0ub4dor3, user=zoe", "Tr0ub4dor3"],
  ])("up to the next pair of a form, an address or a row: %s", (text, value) => {
    expect(foundIn(text)).toEqual([value]);
  });

  it.each([
    ["digits only", "84736251"],
    ["a UUID", "3f1c9a52-77aa-4f0e-9b1d-0c6f1f2c9e11"],
    ["letters in a case that no words have", "lipTVAOsZwpOrpiAZTFlD"],
    ["a name with a digit", "Yarrow12"],
    ["another kind of quote", "Zx'81klo9q"],
  ])("in quotes, if it has %s", (_, value) => {
    expect(foundIn(`const password = "${value}";`)).toEqual([value]);
  });

  it.each([
    "the password for the new host is kmG7oqFYv8dHWicI",
    "owner,password,date\nZoe,kmG7oqFYv8dHWicI,2026",
    "| password | owner |\n|---|---|\n| kmG7oqFYv8dHWicI | Zoe |",
    "INSERT INTO a (name, db_pass) VALUES ('Zoe', 'kmG7oqFYv8dHWicI')",
    "Password\nkmG7oqFYv8dHWicI",
  ])("in prose and tables, if no word looks like it: %j", (text) => {
    expect(foundIn(text)).toEqual(["kmG7oqFYv8dHWicI"]);
  });
});

describe("no password is found", () => {
  it.each([
    ...["Das Passwort überprüfen", "mot de passe sécurisé", "Parolu Sıfırlamak"],
    ...['"Reset Password": "Passwort zurücksetzen"', '"Current Password": "Contraseña actual"'],
    ...['"Password": "Zahlungsbestätigung"', '"Forgot Your Password?": "Salasana unohtui?"'],
    "パスワードを使ってユーザーを作成する際に、APIがレスポンスで返す。",
    "使用密码（及哈希）的 OAuth2，基于 JWT 的 Bearer 令牌",
    ...["パスワード：8文字以上で入力してください", "Пароль: не менее 8 символов"],
  ])("in words with letters beyond ASCII: %s", (text) => {
    expect(foundIn(text)).toEqual([]);
  });

  it.each([
    "HashPassword(user, user.MasterPassword!, x)",
    "string Password { get; set; }\n    public DateTime? PasswordRevisionDate",
    ...["password: process.env.PG_PASS1,", `password: $\{{ secrets.DB_PASSWORD_V2 }}`],
    ...["password: ResetPasswordDto,", "password: PasswordInput2,", "password: &dbPass1 *anchor"],
    ...["char *username, *password, *protocol", "@Password NVARCHAR(300), @MaxAccessCount INT"],
    ...["password = getPass1(request)", "password: userPass[2]", 'f"password={password!r}"'],
    ...["password: OAuthFlow | None = None", "[Password] = @NewPassword2,"],
  ])("in code: %s", (text) => {
    expect(foundIn(text)).toEqual([]);
  });

  it.each([
    "## The password { #the-password-flow }",
    "It takes a password. **FastAPI** then hashes it.",
    "The `password`.\n\nOAuth2PasswordBearer comes next.",
    "pass `check_0d=True` to it",
    "see key-management/master-password/services/key2.service.ts#L171",
  ])("in markdown: %j", (text) => {
    expect(foundIn(text)).toEqual([]);
  });

  it.each([
    "DB_PASSWORD=\nSMTP_TIMEOUT15=Abc1#dEf2",
    'password: ""\nname: "Yarrow12"',
    "Username=a;Password=$DB_PASSWORD;Database=vault_dev1",
    "redis://:<password>@host:6379",
  ])("in what stands behind an empty value or a placeholder: %j", (text) => {
    expect(foundIn(text)).toEqual([]);
  });

  it.each([
    ...["$ pwd\n/home/anna/project1", "cd $(pwd)/Build2-x"],
    "cat /etc/passwd\nroot:x:0:0:root:/root:/bin/bash",
    "LuznBPWD4FH5SBJUNnAv/ZZ8aQ1",
    "PASS: TestX12 in 3s, 12 pass and 3 fail",
  ])("in the output of a shell, and in base64: %j", (text) => {
    expect(foundIn(text)).toEqual([]);
  });

  it.each([
    ...["Password: Expires2026-05-01", "Password strength: VeryStrong1"],
    ...["Passwort: siehe Notion-Seite4", "password manager: 1Password8"],
    ...["password: PBKDF2-HMAC-SHA256", "Password policy: NIST-800-63B"],
    ...["PASSWORD=__PASSWORD_1__", "PASSWORD=%DB_PASSWORD1%", "password: CHANGE_ME_1"],
    ...['password: "{{ vault_db_password1 }}"', "Password=<YourStrong@Passw0rd>"],
    ...["password: [your-password-1]", 'password: "@@DB_PASSWORD1@@"', "PASSWORD=$(cat /run/x1)"],
    ...["Password: (leave blank for default 8)", "MSSQL_PASSWORD=SET_A_PASSWORD_HERE_123"],
  ])("in a label or a placeholder: %s", (text) => {
    expect(foundIn(text)).toEqual([]);
  });
});

describe("what is not claimed", () => {
  it.each([
    ["small letters only", 'password = "correct-horse-battery-staple"'],
    ["capitals only", 'password = "ABCDEFGHIJ"'],
    ["one without quotes that is built like a name", "password: Yarrow12"],
    ["digits without quotes", "password: 84736251"],
    ["more than one word", 'password = "x y z 9Q K7"'],
    ["a short one", "password=hunt3r!"],
  ])("is not found: %s", (_, text) => {
    expect(foundIn(text)).toEqual([]);
  });
});
