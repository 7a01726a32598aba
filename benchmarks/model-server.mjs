// A chat model on 127.0.0.1, in a process of its own, so that its work is not counted.
// It answers as many deltas as `max_tokens` says, in one message where no stream is asked for. Prints its port.
import { createServer } from "node:http";

const chunk = (delta, finish = null) =>
  `data: ${JSON.stringify({
    id: "chatcmpl-Bx3kQ9vLw2mT8sYc",
    object: "chat.completion.chunk",
    created: 1_790_000_000,
    model: "scripted-1",
    system_fingerprint: "fp_3f7a91c2",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  })}\n\n`;

const words = ["The", " figures", " of", " last", " week", " are", " here", ". "];
const whole = (count) => ({
  id: "chatcmpl-Bx3kQ9vLw2mT8sYc",
  object: "chat.completion",
  created: 1_790_000_000,
  model: "scripted-1",
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        content: Array.from({ length: count }, (_, index) => words[index % words.length]).join(""),
      },
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: count, total_tokens: count + 1 },
});

const head = chunk({ role: "assistant", content: "" });
const deltas = words.map((content) => chunk({ content }));
const tail = `${chunk({}, "stop")}data: [DONE]\n\n`;
/** So many events go in one write, as a busy server's do. */
const together = 8;
const ofEight = deltas.join("");

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (piece) => {
    body += piece;
  });
  request.on("end", async () => {
    const { max_tokens: count = 8, stream } = JSON.parse(body);
    if (stream !== true) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(whole(count)));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(head);
    for (let sent = 0; sent < count; sent += together) {
      const written = count - sent >= together ? ofEight : deltas.slice(0, count - sent).join("");
      if (!response.write(written)) await new Promise((resolve) => response.once("drain", resolve));
    }
    response.end(tail);
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
// Whoever started it has gone.
process.stdin.resume().on("end", () => process.exit());
