/**
 * What a host of AgentDojo's four worlds would declare about their tools.
 *
 * Written from the tools' descriptions and the shape of their results. No attack, and no value of any
 * conversation, stands in it.
 *
 * @type {readonly import("@toolstile/containment").ToolTerms[]}
 */
export const agentDojoTools = [
  // Mail
  {
    tools: [
      "search_emails",
      "get_received_emails",
      "get_unread_emails",
      "get_sent_emails",
      "get_draft_emails",
    ],
    result: { source: "mail" },
    fields: [
      { at: "/*/id_", integrity: "trusted", kind: "id", of: "mail" },
      { at: "/*/sender", integrity: "origin", kind: "mail" },
    ],
    sinks: [],
  },
  {
    tools: ["search_contacts_by_name", "search_contacts_by_email"],
    result: { source: "contacts" },
    fields: [{ at: "/*/email", integrity: "trusted", kind: "mail" }],
    sinks: [],
  },
  {
    tools: ["send_email"],
    result: { source: "mail" },
    fields: [{ at: "/id_", integrity: "trusted", kind: "id", of: "mail" }],
    sinks: ["egress"],
    destinations: [
      { at: "/recipients/*", kind: "mail" },
      { at: "/cc/*", kind: "mail" },
      { at: "/bcc/*", kind: "mail" },
      { at: "/attachments/*/file_id", kind: "id", of: "file" },
    ],
  },
  {
    tools: ["delete_email"],
    result: { source: "mail" },
    sinks: ["irreversible"],
    destinations: [{ at: "/email_id", kind: "id", of: "mail" }],
  },
  // Calendar: who takes part in one event may be invited to another, and is written no mail.
  {
    tools: ["search_calendar_events", "get_day_calendar_events"],
    result: { source: "calendar" },
    fields: [
      { at: "/*/id_", integrity: "trusted", kind: "id", of: "event" },
      { at: "/*/participants/*", integrity: "trusted", kind: "mail", of: "calendar" },
    ],
    sinks: [],
  },
  {
    tools: ["create_calendar_event"],
    result: { source: "calendar" },
    fields: [{ at: "/id_", integrity: "trusted", kind: "id", of: "event" }],
    sinks: ["egress"],
    destinations: [
      { at: "/participants/*", kind: "mail", of: "calendar" },
      { at: "/title", kind: "text" },
      { at: "/location", kind: "text", of: "address" },
    ],
  },
  {
    tools: ["add_calendar_event_participants"],
    result: { source: "calendar" },
    sinks: ["egress"],
    destinations: [
      { at: "/event_id", kind: "id", of: "event" },
      { at: "/participants/*", kind: "mail", of: "calendar" },
    ],
  },
  {
    tools: ["reschedule_calendar_event"],
    result: { source: "calendar" },
    sinks: ["egress"],
    destinations: [{ at: "/event_id", kind: "id", of: "event" }],
  },
  {
    tools: ["cancel_calendar_event"],
    result: { source: "calendar" },
    sinks: ["irreversible"],
    destinations: [{ at: "/event_id", kind: "id", of: "event" }],
  },
  { tools: ["get_current_day"], result: { integrity: "trusted" }, sinks: [] },
  // Files
  {
    tools: ["list_files", "search_files", "search_files_by_filename"],
    result: { source: "drive" },
    fields: [{ at: "/*/id_", integrity: "trusted", kind: "id", of: "file" }],
    sinks: [],
  },
  {
    tools: ["get_file_by_id", "create_file"],
    result: { source: "drive" },
    fields: [{ at: "/id_", integrity: "trusted", kind: "id", of: "file" }],
    sinks: [],
  },
  {
    tools: ["append_to_file"],
    result: { source: "drive" },
    sinks: ["egress"],
    destinations: [{ at: "/file_id", kind: "id", of: "file" }],
  },
  {
    tools: ["share_file"],
    result: { source: "drive" },
    sinks: ["egress"],
    destinations: [
      { at: "/email", kind: "mail" },
      { at: "/file_id", kind: "id", of: "file" },
    ],
  },
  {
    tools: ["delete_file"],
    result: { source: "drive" },
    sinks: ["irreversible"],
    destinations: [{ at: "/file_id", kind: "id", of: "file" }],
  },
  // Travel: names and addresses are the catalogue's, reviews are anybody's.
  {
    tools: [
      "get_all_hotels_in_city",
      "get_all_restaurants_in_city",
      "get_all_car_rental_companies_in_city",
    ],
    result: { confidentiality: "public", source: "catalogue" },
    fields: [
      {
        at: "",
        lines: true,
        after: ": ",
        integrity: "trusted",
        kind: "handle",
        of: "place",
      },
    ],
    sinks: [],
  },
  {
    tools: ["get_hotels_address", "get_restaurants_address", "get_car_rental_address"],
    result: { confidentiality: "public", source: "catalogue" },
    fields: [{ at: "/*", integrity: "trusted", kind: "text", of: "address" }],
    sinks: [],
  },
  {
    tools: [
      "check_restaurant_opening_hours",
      "get_car_fuel_options",
      "get_car_price_per_day",
      "get_car_types_available",
      "get_contact_information_for_restaurants",
      "get_cuisine_type_for_restaurants",
      "get_dietary_restrictions_for_all_restaurants",
      "get_flight_information",
      "get_hotels_prices",
      "get_price_for_restaurants",
      "get_rating_reviews_for_car_rental",
      "get_rating_reviews_for_hotels",
      "get_rating_reviews_for_restaurants",
    ],
    result: { confidentiality: "public", source: "catalogue" },
    sinks: [],
  },
  {
    tools: ["get_user_information"],
    result: { integrity: "trusted", confidentiality: "secret", source: "profile" },
    sinks: [],
  },
  {
    tools: ["reserve_hotel"],
    result: { confidentiality: "public", source: "booking" },
    sinks: ["irreversible"],
    destinations: [{ at: "/hotel", kind: "handle", of: "place" }],
  },
  {
    tools: ["reserve_restaurant"],
    result: { confidentiality: "public", source: "booking" },
    sinks: ["irreversible"],
    destinations: [{ at: "/restaurant", kind: "handle", of: "place" }],
  },
  {
    tools: ["reserve_car_rental"],
    result: { confidentiality: "public", source: "booking" },
    sinks: ["irreversible"],
    destinations: [{ at: "/company", kind: "handle", of: "place" }],
  },
  // Bank: whom the user has paid before is known; who has paid the user is anybody.
  {
    tools: ["get_balance", "get_iban"],
    result: { integrity: "trusted", source: "bank" },
    sinks: [],
  },
  { tools: ["get_user_info"], result: { integrity: "trusted", source: "bank" }, sinks: [] },
  { tools: ["read_file"], result: { source: "files" }, sinks: [] },
  {
    tools: ["get_most_recent_transactions"],
    result: { source: "bank" },
    fields: [{ at: "/*/recipient", integrity: "trusted", kind: "handle", of: "account" }],
    sinks: [],
  },
  {
    tools: ["get_scheduled_transactions"],
    result: { source: "bank" },
    fields: [
      { at: "/*/id", integrity: "trusted", kind: "id", of: "order" },
      { at: "/*/recipient", integrity: "trusted", kind: "handle", of: "account" },
    ],
    sinks: [],
  },
  {
    tools: ["send_money", "schedule_transaction"],
    result: { source: "bank" },
    sinks: ["egress", "irreversible"],
    destinations: [{ at: "/recipient", kind: "handle", of: "account" }],
  },
  {
    tools: ["update_scheduled_transaction"],
    result: { source: "bank" },
    sinks: ["egress"],
    destinations: [
      { at: "/id", kind: "id", of: "order" },
      { at: "/recipient", kind: "handle", of: "account" },
    ],
  },
  {
    tools: ["update_password"],
    result: { source: "bank" },
    sinks: ["irreversible"],
    destinations: [{ at: "/password", kind: "text" }],
  },
  {
    tools: ["update_user_info"],
    result: { source: "bank" },
    sinks: [],
    destinations: [
      { at: "/first_name", kind: "text" },
      { at: "/last_name", kind: "text" },
      { at: "/street", kind: "text" },
      { at: "/city", kind: "text" },
    ],
  },
  // Slack: a channel and its members are the workspace's; a message is in the user's name.
  {
    tools: ["get_channels"],
    result: { source: "slack" },
    fields: [{ at: "/*", integrity: "trusted", kind: "handle", of: "channel" }],
    sinks: [],
  },
  {
    tools: ["get_users_in_channel"],
    result: { source: "slack" },
    fields: [{ at: "/*", integrity: "trusted", kind: "handle", of: "member" }],
    sinks: [],
  },
  { tools: ["read_channel_messages", "read_inbox"], result: { source: "slack" }, sinks: [] },
  {
    tools: ["send_direct_message"],
    result: { source: "slack" },
    sinks: ["egress"],
    destinations: [{ at: "/recipient", kind: "handle", of: "member", vouchedBy: ["user"] }],
  },
  {
    tools: ["send_channel_message"],
    result: { source: "slack" },
    sinks: ["egress"],
    destinations: [{ at: "/channel", kind: "handle", of: "channel" }],
  },
  {
    tools: ["add_user_to_channel"],
    result: { source: "slack" },
    sinks: ["egress"],
    destinations: [
      { at: "/user", kind: "handle", of: "member" },
      { at: "/channel", kind: "handle", of: "channel" },
    ],
  },
  {
    tools: ["invite_user_to_slack"],
    result: { source: "slack" },
    sinks: ["egress"],
    destinations: [{ at: "/user_email", kind: "mail" }],
  },
  {
    tools: ["remove_user_from_slack"],
    result: { source: "slack" },
    sinks: ["irreversible"],
    destinations: [{ at: "/user", kind: "handle", of: "member", vouchedBy: ["user"] }],
  },
  {
    tools: ["get_webpage"],
    result: { confidentiality: "public", source: "web" },
    sinks: ["egress"],
    destinations: [{ at: "/url", kind: "url" }],
  },
  {
    tools: ["post_webpage"],
    result: { confidentiality: "public", source: "web" },
    sinks: ["egress"],
    destinations: [{ at: "/url", kind: "url" }],
  },
];
