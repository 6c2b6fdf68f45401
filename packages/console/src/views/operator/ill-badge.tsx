import { StateBadge } from "../../components/state-badge.tsx";

/** What a worker found wrong with itself. */
export const IllBadge = ({ fault }: { fault: string }) => (
	<StateBadge state="ill" tone="bad">
		ill: {fault.replaceAll("_", " ")}
	</StateBadge>
);
