import { useQuery } from "@tanstack/react-query";
import { useApi } from "../api/api.tsx";
import { useSession } from "../api/session.tsx";

const lifeSeconds = 3600;

/**
 * A playback key of this account for the domain's videos, for pictures and transcripts. All of a domain's views share
 * it, and it is renewed before it ends. The player asks for keys of its own.
 */
export function usePlaybackKey(enabled = true): string | undefined {
	const { call, domainId } = useApi();
	const viewer = useViewer();
	const { data } = useQuery({
		queryKey: [domainId, "playback key", viewer],
		queryFn: () => call("createPlaybackKey", { body: { viewer_ref: viewer, ttl_seconds: lifeSeconds } }),
		staleTime: (lifeSeconds - 300) * 1000,
		refetchInterval: (lifeSeconds - 300) * 1000,
		enabled,
	});
	return data?.playback_key;
}

/** Who watches, for the domain's list of revocations: the console's account, and nobody of the tenant's own. */
export const useViewer = (): string => `console:${useSession().account.id}`;
