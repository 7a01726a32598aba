import { guardedCallRows } from "./rows/guarded-call.mjs";
const row = guardedCallRows[Number(process.argv[2] ?? 0)];
const run = await row.setup();
const s=process.cpuUsage(); const N=300000;
for (let i=0;i<N;i++) await run();
const u=process.cpuUsage(s); console.error((u.user+u.system)*1000/N,"ns/call cpu");
