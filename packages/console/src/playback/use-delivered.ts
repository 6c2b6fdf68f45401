import { errorFromAnswer } from "@reelmill/client";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { usePlaybackKey } from "./use-playback-key.ts";

/** Reads a file of the delivery plane with the account's playback key. Nothing is read while `url` is null. */
export function useDelivered(url: string | null): UseQueryResult<Blob, Error> {
	const key = usePlaybackKey(url !== null);
	return useQuery({
		queryKey: ["delivered", url],
		queryFn: async ({ signal }) => {
			const answer = await fetch(url as string, { headers: { authorization: `Bearer ${key}` }, signal });
			if (!answer.ok) throw errorFromAnswer({ status: answer.status, body: await answer.text() });
			return answer.blob();
		},
		enabled: url !== null && key !== undefined,
		staleTime: Number.POSITIVE_INFINITY,
		retry: 1,
	});
}

/** The address of bytes in memory, for as long as the component shows them. */
export function useObjectUrl(bytes: Blob | undefined): string | undefined {
	const [address, setAddress] = useState<string>();
	useEffect(() => {
		if (bytes === undefined) return;
		const made = URL.createObjectURL(bytes);
		setAddress(made);
		return () => {
			URL.revokeObjectURL(made);
			setAddress(undefined);
		};
	}, [bytes]);
	return address;
}
