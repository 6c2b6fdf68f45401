import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useAction } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Problem } from "../../components/problem.tsx";

const route = getRouteApi("/d/$domain/webhooks");

/** Sends a test event, and opens its delivery, where its attempt shows up. */
export function TestEvent({ isReady }: { isReady: boolean }) {
	const { domain } = route.useParams();
	const navigate = useNavigate();
	const send = useAction("sendTestWebhook", {
		changes: ["listWebhookDeliveries"],
		onSuccess: ({ id }) => void navigate({ to: "/d/$domain/webhooks/$id", params: { domain, id } }),
	});
	return (
		<>
			<Problem error={send.error} />
			<Button kind="primary" isPending={send.isPending} isDisabled={!isReady} onPress={() => send.mutate({})}>
				Send test event
			</Button>
		</>
	);
}
