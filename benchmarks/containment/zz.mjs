import { readRows, scoreAgentDojo } from "/work/wt/contain/benchmarks/containment/scores.mjs";
const rows = readRows("traffic/agentdojo.jsonl");
for (const [p,h] of [["strict",{}],["strict",{hasPlan:true}],["balanced",{}],["open",{}]]) {
  const s = await scoreAgentDojo(rows, p, h);
  const { ranIn, heldIn, ...n } = s;
  console.log(p, JSON.stringify(h), JSON.stringify(n));
  if (p !== "strict") { console.log(" RAN", ranIn.slice(0,40)); if (p==="balanced") console.log(" HELD", heldIn); }
}
