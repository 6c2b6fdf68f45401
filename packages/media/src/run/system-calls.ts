/** The architectures, by Node's names, that have a filter, each with the kernel's number (AUDIT_ARCH_...). */
export const architectures = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const;
export type Architecture = keyof typeof architectures;

type Numbers = readonly [x64: number | null, arm64: number | null];
const both = (number: number): Numbers => [number, number];

/**
 * System calls that a program which only reads one file and writes others doesn't need, and that have led out of
 * sandboxes before. They are those that Flatpak refuses its applications (`common/flatpak-run.c`), those that Docker's
 * default profile refuses containers without capabilities, and sockets.
 */
export const refused: Readonly<Record<string, Numbers>> = {
	_sysctl: [156, null],
	acct: [163, 89],
	add_key: [248, 217],
	adjtimex: [159, 171],
	bpf: [321, 280],
	chroot: [161, 51],
	clock_adjtime: [305, 266],
	clock_settime: [227, 112],
	create_module: [174, null],
	delete_module: [176, 106],
	fanotify_init: [300, 262],
	finit_module: [313, 273],
	get_kernel_syms: [177, null],
	get_mempolicy: [239, 236],
	init_module: [175, 105],
	ioperm: [173, null],
	iopl: [172, null],
	kcmp: [312, 272],
	kexec_file_load: [320, 294],
	kexec_load: [246, 104],
	keyctl: [250, 219],
	lookup_dcookie: [212, 18],
	mbind: [237, 235],
	migrate_pages: [256, 238],
	modify_ldt: [154, null],
	mount: [165, 40],
	move_pages: [279, 239],
	name_to_handle_at: [303, 264],
	nfsservctl: [180, 42],
	open_by_handle_at: [304, 265],
	perf_event_open: [298, 241],
	personality: [135, 92],
	pivot_root: [155, 41],
	process_vm_readv: [310, 270],
	process_vm_writev: [311, 271],
	ptrace: [101, 117],
	query_module: [178, null],
	quotactl: [179, 60],
	reboot: [169, 142],
	request_key: [249, 218],
	set_mempolicy: [238, 237],
	setdomainname: [171, 162],
	sethostname: [170, 161],
	setns: [308, 268],
	settimeofday: [164, 170],
	socket: [41, 198],
	socketpair: [53, 199],
	swapoff: [168, 225],
	swapon: [167, 224],
	sysfs: [139, null],
	syslog: [103, 116],
	umount2: [166, 39],
	unshare: [272, 97],
	uselib: [134, null],
	userfaultfd: [323, 282],
	ustat: [136, null],
	vhangup: [153, 58],
};

/**
 * Newer system calls. Programs expect that a kernel may not know them. `clone3` is among them, since its flags are in
 * memory, where no filter sees them; libraries then call `clone`.
 */
export const unknown: Readonly<Record<string, Numbers>> = {
	clone3: both(435),
	fsconfig: both(431),
	fsmount: both(432),
	fsopen: both(430),
	fspick: both(433),
	io_uring_enter: both(426),
	io_uring_register: both(427),
	io_uring_setup: both(425),
	memfd_secret: both(447),
	mount_setattr: both(442),
	move_mount: both(429),
	open_tree: both(428),
	pidfd_getfd: both(438),
	process_madvise: both(440),
	quotactl_fd: both(443),
	set_mempolicy_home_node: both(450),
};

/** System calls that are refused only with some arguments. */
export const judged = { clone: [56, 220], ioctl: [16, 29] } as const satisfies Record<string, Numbers>;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
export const namespaceFlags = 0x7e02_0000;
/** TIOCSTI and TIOCLINUX: they type into the terminal from which the program was started. */
export const typingRequests = [0x5412, 0x541c];
