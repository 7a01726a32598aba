/** A conversation of 50 messages with 20 tools, as an application sends it: what the engine's rows are measured with. */
const text = (description, limits = {}) => ({ type: "string", description, ...limits });
const date = (description) => text(description, { pattern: "^\\d{4}-\\d{2}-\\d{2}$" });
const list = (items, limits = {}) => ({ type: "array", items, ...limits });
const mailAddress = text("A mail address.", { pattern: "^[^@\\s]+@[^@\\s]+$", maxLength: 254 });
const money = {
  type: "object",
  properties: {
    amount: { type: "integer", description: "In the smallest unit of the currency.", minimum: 0 },
    currency: { enum: ["CHF", "EUR", "GBP", "USD"] },
  },
  required: ["amount", "currency"],
  additionalProperties: false,
};
const limit = {
  type: "integer",
  description: "The most entries to give.",
  minimum: 1,
  maximum: 100,
};

const definitions = {
  send_mail: [
    "Send a mail in the user's name.",
    {
      to: list(mailAddress, { minItems: 1, maxItems: 50 }),
      cc: list(mailAddress, { maxItems: 50 }),
      subject: text("One line.", { minLength: 1, maxLength: 200 }),
      body: text("Plain text.", { maxLength: 20_000 }),
      priority: { enum: ["low", "normal", "high"] },
    },
    ["to", "subject", "body"],
  ],
  search_mail: [
    "Find mails of the user by words, sender and date.",
    {
      query: text("Words that the mail holds."),
      from: mailAddress,
      since: date("Not older."),
      limit,
    },
    ["query"],
  ],
  read_mail: ["Read one mail whole.", { mail_id: text("As search_mail gave it.") }, ["mail_id"]],
  list_events: [
    "List the user's appointments in a span of days.",
    { from: date("First day."), to: date("Last day."), limit },
    ["from", "to"],
  ],
  create_event: [
    "Put an appointment into the user's calendar, and invite others.",
    {
      title: text("What it is about.", { minLength: 1, maxLength: 200 }),
      day: date("On which day."),
      start: text("Hours and minutes.", { pattern: "^\\d{2}:\\d{2}$" }),
      minutes: { type: "integer", minimum: 5, maximum: 1440 },
      invited: list(mailAddress, { maxItems: 50 }),
      place: text("Room or link.", { maxLength: 200 }),
    },
    ["title", "day", "start", "minutes"],
  ],
  cancel_event: [
    "Take an appointment out of the calendar.",
    { event_id: text("As list_events gave it."), reason: text("For those invited.") },
    ["event_id"],
  ],
  find_customer: [
    "Look a customer up by name, number or mail address.",
    {
      name: text("Or part of it."),
      number: text("Six digits.", { pattern: "^\\d{6}$" }),
      mail: mailAddress,
    },
    [],
  ],
  update_customer: [
    "Change what is known of a customer.",
    {
      number: text("Six digits.", { pattern: "^\\d{6}$" }),
      address: {
        type: "object",
        properties: {
          street: text("With the house number."),
          postcode: text("As the country writes it.", { maxLength: 12 }),
          city: text("Without the country."),
          country: text("Two letters, ISO 3166.", { pattern: "^[A-Z]{2}$" }),
        },
        required: ["street", "postcode", "city", "country"],
        additionalProperties: false,
      },
      language: { enum: ["de", "en", "fr", "it"] },
    },
    ["number"],
  ],
  list_orders: [
    "List the orders of a customer, the latest first.",
    { customer: text("Six digits."), status: { enum: ["open", "sent", "returned"] }, limit },
    ["customer"],
  ],
  place_order: [
    "Place an order for a customer.",
    {
      customer: text("Six digits."),
      items: list(
        {
          type: "object",
          properties: { article: text("Its number."), quantity: { type: "integer", minimum: 1 } },
          required: ["article", "quantity"],
          additionalProperties: false,
        },
        { minItems: 1, maxItems: 100 },
      ),
      express: { type: "boolean" },
    },
    ["customer", "items"],
  ],
  refund_order: [
    "Give money back for an order.",
    { order: text("Its number."), money, reason: text("For the books.", { maxLength: 500 }) },
    ["order", "money"],
  ],
  check_stock: [
    "How many of an article are there.",
    { article: text("Its number."), warehouse: { enum: ["north", "south", "west"] } },
    ["article"],
  ],
  read_file: ["Read a file of the user.", { path: text("From the user's root.") }, ["path"]],
  write_file: [
    "Write a file of the user.",
    {
      path: text("From the user's root."),
      content: text("All of it."),
      overwrite: { type: "boolean" },
    },
    ["path", "content"],
  ],
  search_files: [
    "Find files by what they hold.",
    { query: text("Words."), folder: text("Where to look."), limit },
    ["query"],
  ],
  search_web: ["Search the web.", { query: text("Words."), limit }, ["query"]],
  read_page: [
    "Read a page of the web as text.",
    { url: text("With https.", { pattern: "^https://", maxLength: 2000 }) },
    ["url"],
  ],
  run_query: [
    "Ask the sales database, for reading only.",
    {
      sql: text("One SELECT.", { maxLength: 10_000 }),
      parameters: list({ type: ["string", "number", "null"] }),
    },
    ["sql"],
  ],
  convert_money: [
    "Turn money into another currency at today's rate.",
    { money, into: { enum: ["CHF", "EUR", "GBP", "USD"] } },
    ["money", "into"],
  ],
  current_time: ["What time it is for the user.", {}, []],
};

const declared = Object.entries(definitions).map(([name, [description, properties, required]]) => ({
  type: "function",
  function: {
    name,
    description,
    parameters: { type: "object", properties, required, additionalProperties: false },
  },
}));

/** The text of the tools, as it stands in a request. */
export const toolsText = JSON.stringify(declared);

/** Twenty tools, of which no two share an object. */
export const tools = JSON.parse(toolsText);

const mailed = JSON.stringify({
  to: ["ann@example.com"],
  subject: "Your order of last week",
  body: "Dear Ann,\nyour parcel has left our house today and should be with you by Thursday. ".repeat(
    3,
  ),
  priority: "normal",
});
const called = [
  ["find_customer", '{"name":"Ann Miller"}', '{"number":"104211","mail":"ann@example.com"}'],
  ["list_orders", '{"customer":"104211","limit":5}', '[{"order":"A-17","status":"sent"}]'],
  ["check_stock", '{"article":"B-204","warehouse":"north"}', '{"pieces":12}'],
  ["send_mail", mailed, '{"sent":true}'],
];

/** Twelve tool exchanges, a last question, and the assistant's call in answer to it. */
export const messages = [
  ...Array.from({ length: 12 }, (_, turn) => {
    const [name, args, result] = called[turn % called.length];
    const id = `call_${String(turn).padStart(24, "x")}`;
    return [
      { role: "user", content: `Please do step ${turn} of what we spoke about.` },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id, type: "function", function: { name, arguments: args } }],
      },
      { role: "tool", tool_call_id: id, name, content: result },
      { role: "assistant", content: `Step ${turn} is done, and here is what came of it.` },
    ];
  }).flat(),
  { role: "user", content: "And now tell her." },
  {
    role: "assistant",
    content: null,
    tool_calls: [
      {
        id: "call_last0000000000000000",
        type: "function",
        function: { name: "send_mail", arguments: mailed },
      },
    ],
  },
];
