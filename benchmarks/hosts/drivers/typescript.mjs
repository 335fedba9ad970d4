// The Client of the TypeScript SDK: typescript.mjs PLAN SEEN, with the packages beside the process.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const packages = createRequire(`${process.cwd()}/package.json`);
const load = (name) => import(pathToFileURL(packages.resolve(`@modelcontextprotocol/sdk/${name}`)).href);
const { Client } = await load("client/index.js");
const { StdioClientTransport } = await load("client/stdio.js");

const plan = JSON.parse(readFileSync(process.argv[2], "utf8"));
const client = new Client({ name: "typescript", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: plan.command, args: plan.args }));

const text = (parts) => parts.map((part) => part.text ?? "").join("\n");
const listed = await client.listTools();
const tools = listed.tools.map((tool) => ({ name: tool.name, parameters: tool.inputSchema }));
const results = [];
for (const step of plan.steps) {
  results.push(
    step.uri
      ? text((await client.readResource({ uri: step.uri })).contents)
      : text((await client.callTool({ name: step.tool, arguments: step.arguments })).content),
  );
}
await client.close();
writeFileSync(process.argv[3], JSON.stringify({ tools, results }));
