import type OpenAI from "openai";
import type OpenAI6 from "openai6";
import { describe, expectTypeOf, it } from "vitest";
import type {
  AssistantMessage,
  ChatTool,
  ModelResponse,
  ResponseTool,
  ToolMessage,
  ToolOutput,
} from "../src/index.js";

describe("the types", () => {
  it("fit the client's own, in openai 7", () => {
    type Chat = OpenAI.Chat.Completions.ChatCompletionMessage;
    expectTypeOf<Chat>().toExtend<AssistantMessage>();
    expectTypeOf<ToolMessage>().toExtend<OpenAI.Chat.Completions.ChatCompletionMessageParam>();
    expectTypeOf<ChatTool>().toExtend<OpenAI.Chat.Completions.ChatCompletionTool>();
    expectTypeOf<OpenAI.Responses.Response>().toExtend<ModelResponse>();
    expectTypeOf<ToolOutput>().toExtend<OpenAI.Responses.ResponseInputItem>();
    expectTypeOf<ResponseTool>().toExtend<OpenAI.Responses.Tool>();
  });

  it("fit the client's own, in openai 6", () => {
    type Chat = OpenAI6.Chat.Completions.ChatCompletionMessage;
    expectTypeOf<Chat>().toExtend<AssistantMessage>();
    expectTypeOf<ToolMessage>().toExtend<OpenAI6.Chat.Completions.ChatCompletionMessageParam>();
    expectTypeOf<ChatTool>().toExtend<OpenAI6.Chat.Completions.ChatCompletionTool>();
    expectTypeOf<OpenAI6.Responses.Response>().toExtend<ModelResponse>();
    expectTypeOf<ToolOutput>().toExtend<OpenAI6.Responses.ResponseInputItem>();
    expectTypeOf<ResponseTool>().toExtend<OpenAI6.Responses.Tool>();
  });

  it("let a response's output go back as input, as the README has it", () => {
    const with7 = (
      input: OpenAI.Responses.ResponseInputItem[],
      response: OpenAI.Responses.Response,
      answers: ToolOutput[],
    ) => [...(response.output as typeof input), ...answers];
    const with6 = (
      input: OpenAI6.Responses.ResponseInputItem[],
      response: OpenAI6.Responses.Response,
      answers: ToolOutput[],
    ) => [...(response.output as typeof input), ...answers];
    expectTypeOf(with7).returns.toExtend<OpenAI.Responses.ResponseInputItem[]>();
    expectTypeOf(with6).returns.toExtend<OpenAI6.Responses.ResponseInputItem[]>();
  });
});
