/** Something that the engine does, held by a test that says the id at the start of its name. */
export interface Requirement {
  readonly id: string;
  /** NVIDIA's page "Tool Calling" of 29 June 2026, or our own specification of the engine. */
  readonly source: "page" | "specification";
  readonly says: string;
  /** The behaviour of the page or of NeMo Guardrails, if Toolstile differs on purpose. */
  readonly insteadOf?: string | undefined;
}

const page = {
  // Tool traffic in both directions
  "IO-001": "Declared tools reach the model unchanged.",
  "IO-002": "Calls are checked against the declared tools, name and arguments.",
  "IO-003": "Results in a request are checked: the call they answer, the name, the content.",
  "IO-004": "The tool rails ask no model and no service.",
  "IO-005": "The tool rails run on every request.",
  "IO-006": "What breaks a rule blocks the request.",
  "IO-007": "An error while reading calls or results blocks the request.",
  "IO-008": "A payload of the wrong shape blocks the request.",
  "IO-009": "The engine runs no tool: checked calls are handed to the application.",
  "IO-010": "A configuration that needs the other engine is not served by this one.",
  "IO-011": "The engines `openai` and `nim` speak Chat Completions.",

  // The loop
  "IO-012": "Calls are checked before the application gets them.",
  "IO-013": "A result is accepted with the id of the call it answers.",
  "IO-014": "Results are checked before the model sees them.",
  "IO-015": "Calls may come with text or without; both are handed on.",
  "IO-016": "After results the model may ask for more calls, which are checked in their turn.",

  // The pipeline
  "IO-017": "`tool call validation` under `rails.tool_call` checks calls.",
  "IO-018": "`tool result validation` under `rails.tool_result` checks results.",
  "IO-019": "The order is: results, input rails, main model, calls, output rails.",
  "IO-020": "An answer of calls without text is not shown to the output rails.",
  "IO-021": "A blocked request answers with the refusal sentence.",
  "IO-022": "A blocked stream carries a `guardrails_violation` error.",

  // Choosing the engine
  "IO-023":
    "With `NEMO_GUARDRAILS_IORAILS_ENGINE` set to 1, true or yes, `LLMRails` is this engine.",
  "IO-024": "`Guardrails` is this engine without being told.",
  "IO-025": "A configuration is read from a folder.",
  "IO-026": "A configuration for another engine goes to the given fallback.",
  "IO-027": "`requireIorails` refuses such a configuration, with the reason.",
  "IO-028": "Colang 1.0 only.",
  "IO-029": "A language model object given by the caller is refused.",
  "IO-030": "Rails and flows outside the supported set belong to another engine.",

  // The tool sections
  "IO-031": "Each tool section takes its own flow, spelt as it is.",
  "IO-032": "Calls can be checked without results.",
  "IO-033": "Results can be checked without calls.",
  "IO-034": "A flow in the wrong tool section is an error at load that names the right one.",
  "IO-035": "An unknown flow in a tool section is an error at load that names the nearest one.",
  "IO-036": "A flow that stands twice in a tool section is an error at load.",
  "IO-037": "`parallel: true` in a tool section loads, with a warning.",
  "IO-038": "Tool rails run in order, also where `parallel` is true.",

  // Declaring tools
  "IO-039": "Tools are declared per request in `llm_params.tools`.",
  "IO-040": "`tool_choice` reaches the model.",
  "IO-041":
    "An answer with calls is an assistant message in OpenAI's shape, arguments as JSON text.",
  "IO-042": "The resent conversation reaches the model as the application wrote it.",
  "IO-043": "The text with which the model ends the loop is returned.",
  "IO-044": "A tool declared in the configuration counts where the request declares none.",
  "IO-045": "Tools of the configuration and of the request count together.",

  // Checking calls
  "IO-046": "Every call of an answer is checked; one that fails blocks them all.",
  "IO-047": "The first violation gives the reason.",
  "IO-048": "A call to an undeclared tool blocks: `tool call '…' is not an allowed tool`.",
  "IO-049": "Arguments that the tool's schema refuses block.",
  "IO-050": "A missing required property blocks.",
  "IO-051": "A tool that declares no parameters gets no arguments.",
  "IO-052": "A hosted tool that only `type` names is allowed by its type.",
  "IO-053": "The arguments of a hosted tool are not checked against a schema.",
  "IO-054": "A call to a tool whose declared schema is not valid blocks.",

  // Checking results
  "IO-055": "The results of each turn are checked against the calls of that turn.",
  "IO-056": "A result without `tool_call_id` blocks.",
  "IO-057": "A result for a call that was not made blocks.",
  "IO-058": "A second result for one call blocks.",
  "IO-059": "A result that names another tool than its call blocks.",
  "IO-060": "A result without a name blocks where the call's tool is known.",
  "IO-061": "Content that is neither text nor a list of objects blocks.",
  "IO-062": "Text and lists of content blocks pass.",

  // Per request
  "IO-063": "`options.rails.tool_call: false` leaves calls unchecked for one request.",
  "IO-064": "`options.rails.tool_result: false` leaves results unchecked for one request.",
  "IO-065": "Both are on where the request says nothing or `true`.",
  "IO-066": "A list of flows runs those flows.",

  // Streaming
  "IO-067": "Text is passed on while it arrives.",
  "IO-068": "A call that arrives in fragments is put together.",
  "IO-069": "Calls that pass come last, once, after the text.",
  "IO-070": "After a block no call is handed out.",
  "IO-071": "A stream of calls without text asks no output rail.",

  // Limitations
  "IO-072": "Whatever an engine is called, it is asked in Chat Completions and in nothing else.",
  "IO-073": "The schema of a tool is read in the draft that it names; an unknown one blocks.",
} as const;

const specification = {
  // Calls
  "IO-101": "A request's definition of a tool replaces the configuration's.",
  "IO-102": "Two different definitions of one name in one list block.",
  "IO-103": "Arguments that are no JSON block, and throw nothing.",
  "IO-104": "Arguments that are no JSON object block.",
  "IO-105": "What the model wrote as arguments stands in no reason.",
  "IO-106": "Empty argument text is `{}`.",
  "IO-107": "A streamed call without argument text has `{}`.",
  "IO-108": "Arguments cut short in a stream block.",

  // Results
  "IO-109": "With `require_name: false`, a result without a name passes.",
  "IO-110": "A result that follows anything but its turn and other results blocks.",
  "IO-111": "A turn may leave calls unanswered.",
  "IO-112": "With `require_all: true`, an unanswered call of a turn with results blocks.",

  // Violations
  "IO-113": "A reason names the rule, the tool and the place, and quotes no value.",
  "IO-114": "Names and ids in a reason are cut to 64 characters.",
  "IO-115": "All violations are collected, in order.",

  // Toggles and configuration
  "IO-116": "An unknown flow in a toggle is an error that names it.",
  "IO-117": "`options.rails` as a list of families runs those and no others.",
  "IO-118": "An unknown family in that list is an error.",
  "IO-119": "A mistake in the configuration is an error also where there is a fallback.",
  "IO-120": "Colang files are an error that says that they would be ignored.",
  "IO-121": "Colang files go with the configuration to the fallback, where there is one.",
  "IO-122": "`rails` in two files is merged in depth, in the order of the file names.",
  "IO-123": "Two files that disagree on a value are an error.",

  // Streams
  "IO-124": "An error that the provider sends inside a stream is a `generation_error`.",
  "IO-125": "Model text that looks like an error is text, and keeps no call from coming.",
  "IO-126": "The calls at the end of a stream have OpenAI's own shape.",
  "IO-127": "A violation before the answer asks no output rail.",
  "IO-128": "`context_size: 0` judges each delta once.",
  "IO-129": "With `stream_first: false` no text is passed on that was not judged.",
  "IO-130": "The end of a stream is judged once, and not at all where nothing is new.",

  // Closed
  "IO-131": "A remote `$ref` is never fetched: it makes the schema invalid.",
  "IO-132": "What a provider wrote in an error reaches no caller.",

  // Rails that ask a model
  "IO-133": "Topic safety passes `on-topic` alone.",
  "IO-134": "Content safety judges the user's message and the answer.",
  "IO-135": "Jailbreak detection asks its service.",
  "IO-136": "A rail that cannot come to a verdict blocks.",
  "IO-137": "Input rails that block keep the main model from being asked.",
  "IO-138": "User text is data in a template, and never read as one.",
  "IO-139": "An undefined name in a template is an error.",

  // Self-check
  "IO-140":
    "Self-check flows take their prompts from the configuration; a missing one is an error.",
  "IO-141": "`self check input`: Yes blocks, No passes.",
  "IO-142": "`self check output`: Yes blocks, No passes.",
  "IO-143": "`self check output` does not judge an empty text.",
  "IO-144": "`self check facts`: No blocks an answer that its evidence does not entail.",
  "IO-145": "`self check facts` runs where a request brings evidence.",
  "IO-146": "`self check hallucination` samples the main model twice more at temperature 1.",
  "IO-147":
    "`self check hallucination`: No blocks; as `hallucination warning` it appends a warning.",
  "IO-148": "An answer that says both, or neither, is no verdict and blocks.",
  "IO-149": "The parser `yes_allows` reads the opposite question.",

  // Past the page's limitations
  "IO-150": "Results are held to schemas that the configuration declares.",
  "IO-151": "Mounted providers judge results.",
  "IO-152": "Mounted providers judge calls.",
  "IO-153": "With receipts, a result proves beyond one request that this host issued its call.",
  "IO-154": "Calls, results and texts can be checked without asking the main model.",

  // Since NeMo Guardrails 0.24
  "IO-155": "A request with options gets the members of NeMo's response beside the engine's own.",
  "IO-156": "The log lists the rails that ran, with what they found.",
  "IO-157": "The log has no text that was judged, asked or answered.",
  "IO-158": "A stream with `options.log` is refused.",
  "IO-159": "The flows of single tools are read in every spelling of NeMo's.",
  "IO-160": "`hooks_server` and the rails of the called tool decide before an agent runs a call.",
  "IO-161": "An answer to a hook has exactly what its agent reads, and never a permission `allow`.",
  "IO-162": "A hook that is not decided on has a status that is not 2xx.",
  "IO-163": "A policy of hooks that leaves something undecided, or off, is refused at start.",
} as const;

const insteadOf: Readonly<Partial<Record<keyof typeof page | keyof typeof specification, string>>> =
  {
    "IO-010": "The configuration is given to LLMRails, with a warning in the log.",
    "IO-026": "The configuration is given to LLMRails, with a warning in the log.",
    "IO-034": "LLMRails takes over, and no tool rail runs.",
    "IO-035": "LLMRails takes over, and no tool rail runs.",
    "IO-036": "LLMRails takes over, and no tool rail runs.",
    "IO-052": "Releases of 2026 drop hosted tools while reading the list; the page allows them.",
    "IO-073": "Another dialect is not validated.",
    "IO-101": "A request's list replaces the configuration's list.",
    "IO-103": "An exception that holds the arguments.",
    "IO-104": "An exception that holds the arguments.",
    "IO-106": "An exception where the answer is not streamed.",
    "IO-108": "A `generation_error` that holds the arguments.",
    "IO-113": "The validator's message, with values.",
    "IO-115": "The first only.",
    "IO-116": "The name is ignored, which can leave the rail off.",
    "IO-118": "The name is ignored, which can leave every rail off.",
    "IO-120": "The files are ignored.",
    "IO-122": "The file read last replaces the whole of `rails`.",
    "IO-124": "The frame is ignored.",
    "IO-125": "A delta that parses as an object with `error` suppresses the calls.",
    "IO-126": "A JSON text among the texts.",
    "IO-127": "The payload is sent to the output rail.",
    "IO-128": "One question per delta after the first chunk, and one on the whole text.",
    "IO-130": "A last question on text that was judged before.",
    "IO-131": "It is fetched over HTTP.",
    "IO-132": "The first 500 characters of its body.",
    "IO-133": "Anything but `off-topic` passes.",
    "IO-143": "An answer of calls without text is always blocked.",
    "IO-144": "Answers in prose pass.",
    "IO-147": "Any answer that holds the letters `no` blocks.",
    "IO-150": "Response schemas are not enforced.",
    "IO-151": "Content of results is not judged.",
    "IO-153": "Consistency inside one request.",
    "IO-157": "The judged text, each prompt and each completion stand in it.",
    "IO-158": "The log is not made, and nothing says so.",
  };

/** Every behaviour that is claimed, by ascending id. */
export const requirements: readonly Requirement[] = [
  ...rows("page", page),
  ...rows("specification", specification),
];

function rows(
  source: Requirement["source"],
  sentences: Readonly<Record<string, string>>,
): readonly Requirement[] {
  const departures: Readonly<Record<string, string | undefined>> = insteadOf;
  return Object.entries(sentences).map(([id, says]) => ({
    id,
    source,
    says,
    insteadOf: departures[id],
  }));
}
