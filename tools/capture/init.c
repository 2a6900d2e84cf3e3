// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The first program of the machine that tools/capture-path boots: loads the KVM modules, says
 * where they are, and runs a guest whose only work is one hcall that the host kernel handles.
 * Linked statically for ppc64le. Output is read by tools/capture-path.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define MEMORY_BYTES ((size_t)16 << 20)
#define CODE 0x10000
#define VPA 0x30000
#define VPA_BYTES 640
#define PROCESS_TABLE 0x200000
#define PATB_RADIX (1ull << 63)     /* the guest uses radix */
#define MSR_SF_ME_LE 0x8000000000001001ull
#define TB_OFFSET (1ull << 24)      /* the smallest that TBU40 can hold */

static void fail(const char *what)
{
	printf("FAILED %s: %s\n", what, strerror(errno));
	fflush(stdout);
	for (;;)
		pause();
}

static void load_module(const char *file)
{
	int fd = open(file, O_RDONLY);

	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		fail(file);
	close(fd);
}

/* "LOADED kvm-hv.ko 0xc008000000290000" */
static void say_address(const char *name, const char *file)
{
	char buf[64] = "";
	int fd = open(file, O_RDONLY);

	if (fd < 0 || read(fd, buf, sizeof(buf) - 1) <= 0)
		fail(file);
	close(fd);
	printf("LOADED %s %s", name, buf);
}

static void start_system(void)
{
	int console;

	mkdir("/dev", 0755);
	mkdir("/sys", 0755);
	mount("devtmpfs", "/dev", "devtmpfs", 0, "");
	mount("sysfs", "/sys", "sysfs", 0, "");
	console = open("/dev/console", O_RDWR);
	for (int i = 0; console >= 0 && i < 3; i++)
		dup2(console, i);
	load_module("/kvm.ko");
	load_module("/kvm-hv.ko");
	say_address("kvm.ko", "/sys/module/kvm/sections/.text");
	say_address("kvm-hv.ko", "/sys/module/kvm_hv/sections/.text");
	mknod("/dev/kvm", S_IFCHR | 0600, makedev(10, 232));
}

/* The guest: li r3,H_CONFER; li r4,-1 (to nobody); li r5,0; sc 1; and again. */
static void write_guest(unsigned char *mem)
{
	static const uint32_t code[] = { 0x386000e4, 0x3880ffff, 0x38a00000, 0x44000022, 0x4bfffff0 };
	uint16_t size = __builtin_bswap16(VPA_BYTES);

	memcpy(mem + CODE, code, sizeof(code));
	memcpy(mem + VPA + 4, &size, sizeof(size)); /* pmcregs_in_use stays 0 */
}

static void set_register(int vcpu, uint64_t id, uint64_t value, const char *what)
{
	struct kvm_one_reg reg = { .id = id, .addr = (uintptr_t)&value };

	if (ioctl(vcpu, KVM_SET_ONE_REG, &reg))
		fail(what);
}

static int make_guest(int kvm)
{
	struct kvm_userspace_memory_region region = { .memory_size = MEMORY_BYTES };
	struct kvm_ppc_mmuv3_cfg mmu = { .flags = KVM_PPC_MMUV3_RADIX | KVM_PPC_MMUV3_GTSE,
					 .process_table = PATB_RADIX | PROCESS_TABLE | 4 };
	struct kvm_enable_cap papr = { .cap = KVM_CAP_PPC_PAPR };
	struct kvm_regs regs;
	unsigned char *mem = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int vm = ioctl(kvm, KVM_CREATE_VM, KVM_VM_PPC_HV), vcpu;

	if (vm < 0 || mem == MAP_FAILED)
		fail("KVM_CREATE_VM");
	region.userspace_addr = (uintptr_t)mem;
	write_guest(mem);
	if (ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region))
		fail("KVM_SET_USER_MEMORY_REGION");
	vcpu = ioctl(vm, KVM_CREATE_VCPU, 0);
	if (vcpu < 0 || ioctl(vm, KVM_PPC_CONFIGURE_V3_MMU, &mmu))
		fail("KVM_PPC_CONFIGURE_V3_MMU");
	if (ioctl(vcpu, KVM_ENABLE_CAP, &papr) || ioctl(vcpu, KVM_GET_REGS, &regs))
		fail("KVM_ENABLE_CAP");
	regs.pc = CODE;
	regs.msr = MSR_SF_ME_LE;
	if (ioctl(vcpu, KVM_SET_REGS, &regs))
		fail("KVM_SET_REGS");
	set_register(vcpu, KVM_REG_PPC_TB_OFFSET, TB_OFFSET, "TB_OFFSET");
	set_register(vcpu, KVM_REG_PPC_VPA_ADDR, VPA, "VPA_ADDR");
	return vcpu;
}

int main(void)
{
	int kvm, vcpu;

	start_system();
	kvm = open("/dev/kvm", O_RDWR);
	if (kvm < 0)
		fail("/dev/kvm");
	vcpu = make_guest(kvm);
	printf("GUEST RUNS\n");
	fflush(stdout);
	for (;;)
		if (ioctl(vcpu, KVM_RUN, 0) && errno != EINTR)
			fail("KVM_RUN");
}
