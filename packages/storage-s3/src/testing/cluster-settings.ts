import { randomInt, randomUUID } from "node:crypto";
import { createServer } from "node:net";
import { join } from "node:path";

export type Cluster = {
	readonly directory: string;
	readonly settingsFile: string;
	readonly keyring: string;
	readonly monitorPort: number;
	/** The gateway's address, port and name. */
	readonly gateway: { readonly address: string; readonly port: number; readonly name: string };
	readonly clusterId: string;
	readonly deviceId: string;
};

/**
 * These ports lie below those that Linux gives to outgoing connections, so that a gateway that is started again finds
 * its port free.
 */
const lowestPort = 20_000;
const highestPort = 31_900;
/** The storage daemon takes the first four free ports of this many. */
const daemonPorts = 60;

export async function layOutCluster(directory: string, gateway: Partial<Cluster["gateway"]>): Promise<Cluster> {
	return {
		directory,
		settingsFile: join(directory, "ceph.conf"),
		keyring: join(directory, "keyring"),
		monitorPort: await freePort(),
		gateway: { address: "127.0.0.1", name: "localhost", ...gateway, port: gateway.port ?? (await freePort()) },
		clusterId: randomUUID(),
		deviceId: randomUUID(),
	};
}

async function freePort(): Promise<number> {
	for (;;) {
		const port = randomInt(lowestPort, highestPort);
		const free = await new Promise<boolean>((resolve) => {
			const probe = createServer().once("error", () => resolve(false));
			probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
		});
		if (free) return port;
	}
}

/**
 * Returns Ceph's settings for one monitor, one storage daemon in memory and one gateway, all in one folder, and the
 * first two on loopback. Short times let a gateway that follows a killed one make and remove buckets within 4 s instead
 * of 30: its predecessor is still asked about each. Without `tcp_nodelay` the body of each small answer waits 40 ms for
 * the client's kernel.
 */
export function clusterSettings({ directory, keyring, monitorPort, gateway, clusterId }: Cluster): string {
	const firstDaemonPort = randomInt(lowestPort, highestPort - daemonPorts);
	return `[global]
fsid = ${clusterId}
mon_initial_members = a
mon_host = v2:127.0.0.1:${monitorPort}
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
ms_bind_port_min = ${firstDaemonPort}
ms_bind_port_max = ${firstDaemonPort + daemonPorts}
ms_bind_msgr1 = false
auth_cluster_required = cephx
auth_service_required = cephx
auth_client_required = cephx
auth_allow_insecure_global_id_reclaim = false
keyring = ${keyring}
run_dir = ${directory}/run
admin_socket = ${directory}/run/$name.$pid.asok
pid_file = ${directory}/run/$name.pid
crash_dir = ${directory}/run
log_file = ${directory}/log/$name.log
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
osd_pool_default_pg_autoscale_mode = off
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
osd_crush_chooseleaf_type = 0
mon_data_avail_crit = 1
mon_data_avail_warn = 2
mon_osd_down_out_interval = 0
paxos_propose_interval = 0.02
paxos_min_wait = 0.01
mon_tick_interval = 1
mon_mgr_inactive_grace = 100000
osd_mon_report_interval = 1
objecter_tick_interval = 1
osd_client_watch_timeout = 4
osd_default_notify_timeout = 3
[mon]
mon_data = ${directory}/mon
[osd]
osd_data = ${directory}/osd
osd_objectstore = memstore
memstore_device_bytes = 8589934592
osd_class_update_on_start = false
osd_scrub_load_threshold = 2000
[client.rgw]
rgw_frontends = beast endpoint=${gateway.address}:${gateway.port} tcp_nodelay=1
rgw_dns_name = ${gateway.name}
rgw_enable_usage_log = false
rgw_enable_ops_log = false
rgw_thread_pool_size = 32
rgw_gc_obj_min_wait = 20
rgw_gc_processor_period = 5
`;
}
