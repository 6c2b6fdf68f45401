export type { DiskFaults, DiskRule } from "./disk-faults.ts";
export { openDiskFaults } from "./disk-faults.ts";
export type { MountedImage } from "./disk-image.ts";
export { mountImage, openDiskImage } from "./disk-image.ts";
export type { FailingDisk } from "./failing-disk.ts";
export { openFailingDisk } from "./failing-disk.ts";
export type { MemoryGroup } from "./memory-group.ts";
export { openMemoryGroup } from "./memory-group.ts";
