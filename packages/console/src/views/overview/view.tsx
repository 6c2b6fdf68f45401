import { useCall } from "../../api/api.tsx";
import { LinkButton } from "../../components/button.tsx";
import { Loaded, useTogether } from "../../components/loaded.tsx";
import { Page } from "../../components/page.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { useDomain } from "../../frame/domain-frame.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { LastDays } from "./last-days.tsx";
import { Stuck, useStuck } from "./stuck.tsx";
import { Today } from "./today.tsx";

/** What somebody sees first: on the first day the steps to take, later how the domain does. */
export function Overview() {
	const { slug } = useDomain();
	const steps = useCall("getFirstSteps", {}, { every: 3000 });
	const isHere = useTogether([
		steps,
		useCall("getUsage", {}),
		useCall("listUsageDays", {}),
		useCall("getDomain", {}),
		...useStuck(),
	]);
	const isFirstDay = steps.data?.uploaded_at === null;
	const firstSteps = <Loaded query={steps}>{(taken) => <FirstSteps taken={taken} />}</Loaded>;
	return (
		<Page
			title="Overview"
			actions={
				<LinkButton kind={isFirstDay ? "plain" : "primary"} to="/d/$domain/upload" params={{ domain: slug }}>
					Upload
				</LinkButton>
			}
		>
			<div className="parts">
				{isHere ? (
					<>
						<Stuck />
						{isFirstDay && firstSteps}
						<Today />
						<LastDays />
						{!isFirstDay && firstSteps}
					</>
				) : (
					<Skeleton />
				)}
			</div>
		</Page>
	);
}
