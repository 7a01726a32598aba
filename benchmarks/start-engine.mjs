// The engine in a process that has nothing else: start-engine.mjs <url of a model, or "nothing">.
// Prints { importMs, resident } as JSON; the time is that of the import, the memory that after the first answer.
const [url] = process.argv.slice(2);
let importMs = 0;
if (url !== "nothing") {
  const begun = performance.now();
  const { Guardrails, RailsConfig } = await import("@toolstile/iorails");
  importMs = performance.now() - begun;
  const yaml = `
models:
  - {type: main, engine: openai, model: scripted-1, parameters: {base_url: "${url}", api_key: none}}
rails:
  tool_output: {flows: [tool call validation]}
  tool_input: {flows: [tool result validation]}
`;
  const rails = new Guardrails(await RailsConfig.fromContent({ yaml }));
  const { status, message } = await rails.generate({
    messages: [{ role: "user", content: "Where are the figures?" }],
  });
  if (status !== "passed" || !message.content.startsWith("The figures"))
    throw new Error("The model did not answer.");
  await rails.close();
}
const resident = process.memoryUsage.rss();
process.stdout.write(JSON.stringify({ importMs, resident }));
