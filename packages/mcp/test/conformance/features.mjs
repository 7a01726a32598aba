// What the suites ask of every server: tools, resources, prompts, completion.
import { fromJsonSchema, ResourceTemplate } from "@modelcontextprotocol/server";
import { z } from "zod";
import { registerRequestsThatAsk, registerResultsThatAsk } from "./asking-tools.mjs";

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const silence = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

const text = (words) => ({ type: "text", text: words });
const image = { type: "image", data: pixel, mimeType: "image/png" };
const embedded = (uri, mimeType, words) => ({
  type: "resource",
  resource: { uri, mimeType, text: words },
});

/** @param {"modern" | "legacy"} era */
export function register(server, era, notify) {
  registerTools(server, notify);
  registerResources(server, era);
  registerPrompts(server);
  if (era === "modern") registerResultsThatAsk(server);
  else registerRequestsThatAsk(server);
}

function registerTools(server, notify) {
  const tool = (name, content) =>
    server.registerTool(name, { description: `Answers ${name}.` }, () => ({ content }));
  tool("test_simple_text", [text("This is a simple text response for testing.")]);
  tool("test_image_content", [image]);
  tool("test_audio_content", [{ type: "audio", data: silence, mimeType: "audio/wav" }]);
  tool("test_embedded_resource", [
    embedded("test://embedded-resource", "text/plain", "An embedded resource."),
  ]);
  tool("test_multiple_content_types", [
    text("Several kinds of content:"),
    image,
    embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ]);

  const act = (name, run) => server.registerTool(name, { description: `Does ${name}.` }, run);
  act("test_error_handling", () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  act("test_tool_with_logging", async ({ mcpReq }) => {
    for (const words of ["started", "processing data", "completed"]) {
      await mcpReq.log("info", `Tool execution ${words}`);
      await pause(50);
    }
    return { content: [text("Logged three times.")] };
  });
  act("test_logging_tool", async ({ mcpReq }) => {
    await mcpReq.log("info", "Only for those who ask for it.");
    return { content: [text("Logged.")] };
  });
  act("test_tool_with_progress", async ({ mcpReq }) => {
    await tellProgress(mcpReq);
    return { content: [text("Made progress.")] };
  });
  act("test_streaming_elicitation", async ({ mcpReq }) => {
    await tellProgress(mcpReq);
    return { content: [text("Streamed.")] };
  });
  act("test_reconnection", async ({ http }) => {
    http?.closeSSE?.();
    await pause(100);
    return { content: [text("The client has come back for this.")] };
  });
  act("test_trigger_tool_change", () => {
    notify.toolsChanged();
    return { content: [text("Told of tools.")] };
  });
  act("test_trigger_prompt_change", () => {
    notify.promptsChanged();
    return { content: [text("Told of prompts.")] };
  });
  // What the suites ask to run as a task runs at once: the SDK's servers have no tasks.
  for (const name of [
    "greet",
    "slow_compute",
    "confirm_delete",
    "multi_input",
    "test_tool_with_task",
  ]) {
    tool(name, [text(`Answered ${name}.`)]);
  }
  for (const name of ["failing_job", "protocol_error_job"]) {
    act(name, () => {
      throw new Error("The job fails, as it should.");
    });
  }
  server.registerTool(
    "test_custom_headers",
    {
      description: "Has a parameter that is a header too.",
      inputSchema: z.object({ region: z.string().meta({ "x-mcp-header": "Region" }) }),
    },
    ({ region }) => ({ content: [text(`In ${region}.`)] }),
  );
  server.registerTool(
    "json_schema_2020_12_tool",
    { description: "Has a schema of many keywords.", inputSchema: fromJsonSchema(manyKeywords) },
    () => ({ content: [text("Valid.")] }),
  );
}

const manyKeywords = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

async function tellProgress(mcpReq) {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  for (const progress of [0, 50, 100]) {
    const params = { progressToken, progress, total: 100 };
    await mcpReq.notify({ method: "notifications/progress", params });
    await pause(50);
  }
}

function registerResources(server, era) {
  const resource = (name, mimeType, content) => {
    const uri = `test://${name}`;
    server.registerResource(name, uri, { description: name, mimeType }, () => ({
      contents: [{ uri, mimeType, ...content }],
    }));
  };
  resource("static-text", "text/plain", { text: "The content of the static text." });
  resource("static-binary", "image/png", { blob: pixel });
  resource("watched-resource", "text/plain", { text: "Watched." });
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { description: "Has a variable.", mimeType: "application/json" },
    (uri, { id }) => ({
      contents: [{ uri: uri.href, mimeType: "application/json", text: JSON.stringify({ id }) }],
    }),
  );
  if (era === "modern") return;
  server.server.setRequestHandler("resources/subscribe", () => ({}));
  server.server.setRequestHandler("resources/unsubscribe", () => ({}));
}

function registerPrompts(server) {
  const user = (content) => ({ role: "user", content });
  const prompt = (name, names, messages) => {
    const argsSchema = z.object(Object.fromEntries(names.map((each) => [each, z.string()])));
    const about = { description: `Gives ${name}.` };
    if (names.length === 0) server.registerPrompt(name, about, () => ({ messages: messages() }));
    else {
      server.registerPrompt(name, { ...about, argsSchema }, (given) => ({
        messages: messages(given),
      }));
    }
  };
  prompt("test_simple_prompt", [], () => [user(text("This is a simple prompt for testing."))]);
  prompt("test_prompt_with_arguments", ["arg1", "arg2"], ({ arg1, arg2 }) => [
    user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  ]);
  prompt("test_prompt_with_embedded_resource", ["resourceUri"], ({ resourceUri }) => [
    user(embedded(resourceUri, "text/plain", "An embedded resource.")),
    user(text("Read the resource above.")),
  ]);
  prompt("test_prompt_with_image", [], () => [user(image), user(text("Look at the image above."))]);
  server.server.setRequestHandler("completion/complete", () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
