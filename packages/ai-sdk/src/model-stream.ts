import type { ModelTurn } from "./model-turn.js";
import type { ModelPart } from "./sdk.js";

/** The parts of an answer as they come, each once it has been judged. */
export function guardedStream(
  source: ReadableStream<ModelPart>,
  turn: ModelTurn,
): ReadableStream<ModelPart> {
  const reader = source.getReader();
  return new ReadableStream<ModelPart>(
    {
      pull: async (controller) => {
        try {
          // A part that is kept back does not answer a pull: the reader would wait for ever.
          for (let sent = 0; sent === 0; ) {
            const { done, value } = await reader.read();
            if (done) {
              for (const part of turn.rest()) controller.enqueue(part);
              await turn.end();
              controller.close();
              return;
            }
            for (const part of await turn.part(value)) {
              controller.enqueue(part);
              sent++;
            }
          }
        } catch (error) {
          await turn.end();
          await reader.cancel(error).catch(() => undefined);
          throw error;
        }
      },
      cancel: async (reason) => {
        await turn.end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
