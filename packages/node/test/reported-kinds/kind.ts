import type { Clip, World } from "./world.ts";

/** A page in either browser. */
export type Tab = {
	goto(url: string): Promise<unknown>;
	/** Evaluates an expression in the page, and resolves to its value, which must be plain data. */
	evaluate(expression: string): Promise<unknown>;
	waitForFunction(expression: string): Promise<unknown>;
	setInputFiles(selector: string, files: readonly string[]): Promise<void>;
	close(): Promise<unknown>;
};

/** Where a page is on the site (default: `/`), and whose session it has (default: the scene's person); "" for nobody's. */
type Visit = { readonly path?: "/" | "/strict/" | "/watch/" | "/lost/"; readonly person?: string };

/** One person at one browser, with the site before a real service. */
export type Scene = {
	readonly world: World;
	/** Somebody whom no other kind knows. */
	readonly person: string;
	/** Opens the site in a new tab, where this person is signed in and these files are chosen. */
	tab(files?: readonly Clip[], options?: Visit): Promise<Tab>;
	/** Opens the site anew in a tab, as a reload does, and chooses these files. */
	reload(tab: Tab, files: readonly Clip[], options?: Visit): Promise<void>;
	setOffline(offline: boolean): Promise<void>;
};

/** A kind of fault that is reported of libraries like these. */
export type Kind<Acts extends (...given: never) => Promise<unknown>> = {
	/** What goes wrong elsewhere, as the guide has it. */
	readonly kind: string;
	/** What is tried here, and what comes of it. */
	readonly tried: string;
	/** Public reports of it: project and number. */
	readonly reports: readonly string[];
	readonly act: Acts;
};
export type BrowserKind = Kind<(scene: Scene) => Promise<unknown>>;
export type NodeKind = Kind<(world: World) => Promise<unknown>>;

/** Calls a function of the page. */
export const call = <T = Record<string, unknown>>(tab: Tab, text: string): Promise<T> =>
	tab.evaluate(`actions.${text}`) as Promise<T>;
