import type { CallResult } from "@reelmill/client";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useAction } from "../../../api/api.tsx";
import { sessionQuery } from "../../../api/session.tsx";
import { Button } from "../../../components/button.tsx";
import { Confirm } from "../../../components/confirm.tsx";
import { Panel } from "../../../components/panel.tsx";
import { sandboxSlug } from "./draft.ts";

/** Deletes a domain, after saying what goes with it. The sandbox can't be deleted. */
export function DeleteDomain({ domain: { id, slug } }: { domain: CallResult<"getAdminDomain"> }) {
	const [isAsking, setAsking] = useState(false);
	const navigate = useNavigate();
	const queryClient = useQueryClient();
	const remove = useAction("deleteDomain", {
		changes: ["listDomains", "listAudit"],
		onSuccess: () => {
			void queryClient.invalidateQueries(sessionQuery);
			void navigate({ to: "/operator/domains" });
		},
	});
	if (slug === sandboxSlug) return null;
	return (
		<Panel
			title="Delete"
			actions={
				<Button kind="danger" onPress={() => setAsking(true)}>
					Delete {slug}
				</Button>
			}
		>
			<p>Deletes the domain and everything in it, for good. The audit log keeps its entries.</p>
			<Confirm
				title={`Delete ${slug}?`}
				verb={`Delete ${slug}`}
				typed={slug}
				isOpen={isAsking}
				isPending={remove.isPending}
				error={remove.error}
				onConfirm={() => remove.mutate({ params: { id } })}
				onClose={() => {
					remove.reset();
					setAsking(false);
				}}
			>
				<p>This can't be undone. It deletes:</p>
				<ul className="listed">
					<li>all of its videos and outros, with every file, also in its own buckets;</li>
					<li>its keys, at once: its back end is refused, its players stop;</li>
					<li>its settings, webhook log and usage, 30 days later.</li>
				</ul>
				<p>The slug is free again afterwards.</p>
			</Confirm>
		</Panel>
	);
}
