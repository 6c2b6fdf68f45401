import { spawn } from "node:child_process";
import type { Privileges } from "./privileges.ts";

/** Runs a program to its end. If it fails, rejects with the last lines that it wrote. */
export async function runProgram(program: string, args: readonly string[], privileges: Privileges): Promise<void> {
	const [command, all] = privileges.command(program, args);
	const child = spawn(command, all, { stdio: ["ignore", "pipe", "pipe"], cwd: "/", ...privileges.spawn });
	let output = "";
	const collect = (chunk: Buffer) => {
		output = `${output}${chunk}`.slice(-2000);
	};
	child.stdout.on("data", collect);
	child.stderr.on("data", collect);
	const code = await new Promise<number | null>((resolve, reject) => {
		child.once("error", reject);
		child.once("close", resolve);
	});
	if (code !== 0) throw new Error(`${program} failed: ${output.trim() || `exit code ${code}`}`);
}
