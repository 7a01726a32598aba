// A chat model on 127.0.0.1, in a process of its own, so that its work is not counted.
// It answers as many deltas as `max_tokens` says. Prints its port.
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

const head = chunk({ role: "assistant", content: "" });
const deltas = ["The", " figures", " of", " last", " week", " are", " here", ". "].map((content) =>
  chunk({ content }),
);
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
    const count = JSON.parse(body).max_tokens;
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
