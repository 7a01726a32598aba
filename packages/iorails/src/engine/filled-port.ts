import { ToolstileError } from "@toolstile/core";
import { quoted } from "@toolstile/core/provider";
import type { RailsConfigData } from "../config/model.js";
import type { SensitiveDataPort } from "../model-rails/sensitive-data.js";
import { findsSensitiveData } from "./modules.js";

/** The finder of sensitive data for a configuration, or the reason why there is none. */
export interface FilledPort {
  readonly sensitiveData?: SensitiveDataPort | undefined;
  readonly unfilled?: string | undefined;
}

/**
 * The host's finder of sensitive data; without one, the one that was loaded for the configuration.
 *
 * Without both, and with an entity that the loaded one does not find, the port stays unfilled: such a configuration
 * may still be for another engine.
 */
export function filledPort(
  data: RailsConfigData,
  given: SensitiveDataPort | undefined,
  loaded: SensitiveDataPort | undefined,
): FilledPort {
  const flows = [...data.input.flows, ...data.output.flows].filter(findsSensitiveData);
  if (given !== undefined || flows.length === 0) return { sensitiveData: given };
  const fault = loaded === undefined ? missing : faultOf(data, loaded);
  if (fault === undefined) return { sensitiveData: loaded };
  const names = [...new Set(flows.map(({ name }) => quoted(name)))].join(", ");
  return { unfilled: `config has flows that look for sensitive data: ${names}. ${fault}` };
}

const missing =
  "They need the package '@toolstile/redact', which cannot be loaded, or the option sensitiveData. Install it beside this one: npm install @toolstile/redact";

function faultOf(data: RailsConfigData, loaded: SensitiveDataPort): string | undefined {
  const { recognizers, ...section } = data.config.sensitive_data_detection;
  try {
    for (const direction of ["input", "output"] as const) {
      const { entities, score_threshold: scoreThreshold } = section[direction];
      if (entities.length > 0 && data[direction].flows.some(findsSensitiveData))
        loaded.scanner({ entities, recognizers, scoreThreshold });
    }
    return undefined;
  } catch (error) {
    if (!ToolstileError.isInstance(error)) throw error;
    return error.message.replace(/\.$/, "");
  }
}
