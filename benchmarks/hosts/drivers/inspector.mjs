// The inspector's command line, which starts the server anew for each command: inspector.mjs PLAN SEEN.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const plan = JSON.parse(readFileSync(process.argv[2], "utf8"));
const program = "node_modules/@modelcontextprotocol/inspector/cli/build/cli.js";

const inspect = (...options) => {
  const command = [program, "--cli", plan.command, ...plan.args, ...options];
  const ran = spawnSync(process.execPath, command, { encoding: "utf8" });
  if (ran.status !== 0) throw new Error(`${options.join(" ")}: ${ran.stderr}`);
  return JSON.parse(ran.stdout);
};
const text = (parts) => parts.map((part) => part.text ?? "").join("\n");
const given = (values) => Object.entries(values).flatMap(([name, value]) => ["--tool-arg", `${name}=${JSON.stringify(value)}`]);

const listed = inspect("--method", "tools/list");
const tools = listed.tools.map((tool) => ({ name: tool.name, parameters: tool.inputSchema }));
const results = plan.steps.map((step) =>
  step.uri
    ? text(inspect("--method", "resources/read", "--uri", step.uri).contents)
    : text(inspect("--method", "tools/call", "--tool-name", step.tool, ...given(step.arguments)).content),
);
writeFileSync(process.argv[3], JSON.stringify({ tools, results }));
