import type { CallableName, CallInput, CallResult } from "@reelmill/client";
import { useState } from "react";
import { useApi, useInvalidate } from "./api.tsx";

/**
 * Tells whether somebody else changed what a form was opened with, which the form would undo. `mayReplace(mine)` reads it
 * again: it resolves to false, once for each change, and `isOvertaken` is true from then on. What is `mine` already, as
 * after a save whose answer was lost, is no change. If it can't be read, it resolves to true, and saving says why.
 */
export function useOvertaken<K extends CallableName, Part>(
	name: K,
	input: CallInput<K>,
	opened: CallResult<K>,
	partOf: (result: CallResult<K>) => Part,
) {
	const { call } = useApi();
	const invalidate = useInvalidate();
	const [known, setKnown] = useState(() => JSON.stringify(partOf(opened)));
	const [isOvertaken, setOvertaken] = useState(false);
	return {
		isOvertaken,
		mayReplace: async (mine: Part): Promise<boolean> => {
			const now = await call(name, input).then(
				(result) => JSON.stringify(partOf(result)),
				() => known,
			);
			if (now === known || now === JSON.stringify(mine)) return true;
			setKnown(now);
			setOvertaken(true);
			void invalidate([name]);
			return false;
		},
	};
}
