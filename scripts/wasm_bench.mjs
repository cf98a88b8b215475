// Runs the engine in WebAssembly (engine/examples/wasm.rs) and compares its node counts with the one expected.
// Usage: node scripts/wasm_bench.mjs wasm.wasm DEPTH NODES
import { readFile } from "node:fs/promises";

const [file, depth, expected] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(await readFile(file), {});
const { bench, stepped_bench, stopped } = instance.exports;

const counts = { bench: bench(Number(depth)), stepped: stepped_bench(Number(depth)) };
for (const [name, nodes] of Object.entries(counts)) {
    if (nodes !== BigInt(expected)) {
        console.error(`wasm_bench: ${name}: ${nodes} nodes at depth ${depth}, elsewhere ${expected}`);
        process.exit(1);
    }
}
const nodes = stopped(20n);
if (nodes < 19n * 1024n || nodes > 24n * 1024n) {
    console.error(`wasm_bench: a search stopped at the 20th look visited ${nodes} nodes`);
    process.exit(1);
}
console.log(`wasm_bench: ${expected} nodes at depth ${depth}, as elsewhere, in one piece and in steps`);
