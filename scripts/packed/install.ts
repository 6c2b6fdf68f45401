import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listPackages, type Package } from "../packages/list.ts";
import { npmInstall, pack, published, tarballOf } from "../packages/pack.ts";

/** The packages as a user gets them. */
export type Installed = {
	/** A project of a user's, with all packages in its `node_modules`. */
	readonly project: string;
	/** Returns the tarball of a package. */
	tarball(of: Package): string;
	/** Removes all of it. */
	remove(): void;
};

/** Packs every package, and installs the tarballs by npm into a project of their own. */
export async function installPacked(): Promise<Installed> {
	const directory = mkdtempSync(join(tmpdir(), "reelmill-packed-"));
	const remove = () => rmSync(directory, { recursive: true, force: true });
	try {
		const [tarballs, project] = ["tarballs", "project"].map((name) => join(directory, name)) as [string, string];
		await pack(published(), tarballs);
		const tarball = (of: Package) => join(tarballs, tarballOf(of));
		mkdirSync(project);
		writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
		await npmInstall(project, ...listPackages().map(tarball));
		return { project, tarball, remove };
	} catch (error) {
		remove();
		throw error;
	}
}
