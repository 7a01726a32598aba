-- The table of @toolstile/audit-log's postgresSink(), and the role that writes to it.
-- Needs PostgreSQL 11 or newer. Run it as the role that shall own the table:
-- an owner or a superuser can still lift every bar below, so the application
-- must be neither. Give its login role the right to write with
--   grant audit_log_writer to <login role>;

create table if not exists audit_log (
  writer text not null,
  seq bigint not null check (seq >= 1),
  prev text not null check (prev ~ '^[0-9a-f]{64}$'),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  -- Text and not jsonb: the hash is of these very bytes.
  line text not null,
  primary key (writer, seq)
);

do $$
begin
  if not exists (select from pg_roles where rolname = 'audit_log_writer') then
    create role audit_log_writer nologin;
  end if;
exception
  -- Somebody else made it at the same moment.
  when duplicate_object or unique_violation then null;
end
$$;

revoke all on audit_log from public;
revoke all on audit_log from audit_log_writer;
grant insert, select on audit_log to audit_log_writer;

create or replace function audit_log_refusal() returns trigger
  language plpgsql
  set search_path = pg_catalog
as $$
begin
  raise exception 'the audit log is append-only: % is refused', tg_op
    using errcode = 'insufficient_privilege';
end
$$;

drop trigger if exists append_only on audit_log;
create trigger append_only
  before update or delete or truncate on audit_log
  for each statement execute function audit_log_refusal();
-- Also where a session poses as a replica.
alter table audit_log enable always trigger append_only;
