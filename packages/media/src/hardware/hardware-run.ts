import type { RunOptions } from "../run/programs.ts";
import { encodeLimits } from "../run/resource-limits.ts";
import type { Hardware } from "../types.ts";

/**
 * Returns what a run of ffmpeg with the hardware needs beside its files: the device, and for NVENC no limit of the
 * address space, of which CUDA reserves more than any machine has memory.
 */
export function hardwareRun({ kind, deviceFiles }: Hardware): Pick<RunOptions, "devices" | "limits"> {
	const { fileBytes, memoryBytes } = encodeLimits();
	return { devices: deviceFiles, limits: kind === "nvenc" ? { fileBytes } : { fileBytes, memoryBytes } };
}
