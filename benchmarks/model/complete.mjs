// Completes prompts with a model in a file: `node complete.mjs MODEL.gguf`.  A line of JSON in, {prompt, most};
// a line of JSON out, {text, prompt, shared, written}: the text, and counts of tokens.  A beginning that a prompt
// shares with the one before is not read again; `shared` counts it.
import readline from "node:readline";
import {getLlama, LlamaCompletion} from "node-llama-cpp";

const [, , file, size] = process.argv;
const llama = await getLlama({gpu: false, build: "never", logLevel: "error"});
const model = await llama.loadModel({modelPath: file});
const context = await model.createContext({contextSize: Number(size)});
const completion = new LlamaCompletion({contextSequence: context.getSequence()});
let before = [];
process.stdout.write("ready\n");
for await (const line of readline.createInterface({input: process.stdin})) {
    const {prompt, most} = JSON.parse(line);
    const tokens = model.tokenize(prompt, true);
    let shared = 0;
    while (shared < tokens.length && tokens[shared] === before[shared]) shared++;
    let answer = {error: `the prompt has ${tokens.length} tokens, and the context ${size}`};
    if (tokens.length + most <= Number(size)) {
        const options = {maxTokens: most, temperature: 0, customStopTriggers: ["<|im_end|>"]};
        const text = await completion.generateCompletion(tokens, options);
        answer = {text, prompt: tokens.length, shared, written: model.tokenize(text).length};
        before = tokens;
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
}
