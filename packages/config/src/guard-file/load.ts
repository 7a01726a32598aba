import type { Guardrail, ToolObserver } from "@toolstile/core";
import type { GuardFile, GuardFilePolicy, LoadGuardFileOptions } from "./guard-file.js";
import { closeAll, type Made, type MadeGuards, makeGuards, makeObservers } from "./made.js";
import { type Plan, planGuardFile } from "./plan.js";

/**
 * Read a guard.yaml and load all that it names.
 *
 * Loading runs the code of the plugins: a guard.yaml is trusted as code is.
 *
 * @throws GuardFileError `ERR_CONFIG` with everything that is wrong, each with
 *   its file, line, column and path. Nothing of such a file is in force.
 */
export async function loadGuardFile(
  path: string,
  options: LoadGuardFileOptions = {},
): Promise<GuardFile> {
  const plan = await planGuardFile(path, options);
  const made = await makeGuards(plan);
  const observers = await observersBeside(made, plan);
  return guardFile(
    () => policyOf(plan, made),
    made.guardrails,
    observers,
    () => made.made,
  );
}

/**
 * Read a guard.yaml as `loadGuardFile` does, but open no observer: for those
 * who look at it and run nothing.
 *
 * @throws GuardFileError
 */
export async function inspectGuardFile(
  path: string,
  options: LoadGuardFileOptions = {},
): Promise<GuardFilePolicy & Pick<GuardFile, "guardrails" | "close">> {
  const plan = await planGuardFile(path, options);
  const made = await makeGuards(plan);
  const { guards, guardrails } = made;
  return {
    ...policyOf(plan, made),
    guardrails,
    close: () => closeAll(guards.map((g) => g.guardrail)),
  };
}

/** The observers, or nothing at all: guards without them are closed again. */
export async function observersBeside(
  { fresh }: MadeGuards,
  plan: Plan,
): Promise<readonly Made<ToolObserver>[]> {
  try {
    return await makeObservers(plan);
  } catch (error) {
    await closeAll(fresh);
    throw error;
  }
}

export function policyOf(plan: Plan, { guards }: MadeGuards): GuardFilePolicy {
  const { agents, mode, policyVersion, declared } = plan;
  return { guards, agents, mode, policyVersion, tools: declared?.tools };
}

/** @param policy What is in force now. */
export function guardFile(
  policy: () => GuardFilePolicy,
  guardrails: readonly Guardrail[],
  observers: readonly Made<ToolObserver>[],
  inUse: () => readonly Made<Guardrail>[],
): GuardFile {
  const leftOpen = Object.freeze(observers.map(({ product }) => withoutClose(product)));
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= closeAll([...inUse(), ...observers].map(({ product }) => product));
    return closing;
  };
  return Object.freeze({
    get guards() {
      return policy().guards;
    },
    get agents() {
      return policy().agents;
    },
    get mode() {
      return policy().mode;
    },
    get policyVersion() {
      return policy().policyVersion;
    },
    get tools() {
      return policy().tools;
    },
    guardrails: Object.freeze([...guardrails]),
    observers: leftOpen,
    runnerOptions: () => ({
      guardrails: [...guardrails],
      observers: [...leftOpen],
      policyVersion: policy().policyVersion,
    }),
    close,
    [Symbol.asyncDispose]: close,
  });
}

/** Several runners may tell it: none of them closes it for the others. */
function withoutClose(observer: ToolObserver): ToolObserver {
  const { name, required, timeoutMs } = observer;
  return {
    name,
    required,
    timeoutMs,
    intent: observer.intent?.bind(observer),
    settle: observer.settle.bind(observer),
  };
}
