// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Power ISA 3.1B, appendix "Opcode maps". Masks name the bits that must have
 * one value: reserved fields are zero in every valid encoding.
 */
#include "elf/insn_table.h"

#include "elf/insn.h"

#define L KELF_MEM_LOAD
#define S KELF_MEM_STORE

/* Fields of a word, as masks. */
#define F_RT 0x03e00000u
#define F_RA 0x001f0000u
#define F_RB 0x0000f800u
#define F_RC 0x00000001u

#define ROW(c, m, mo, a, k, v) { .class = (c), .mem = (m), .more = (mo), .arg = (a), \
				 .mask = (k), .value = (v) }
#define PLAIN(c, k) ROW(c, 0, KELF_MORE_NONE, 0, k, 0)
#define LOAD ROW(KELF_LOAD, L, KELF_MORE_NONE, 0, 0, 0)
#define STORE ROW(KELF_STORE, S, KELF_MORE_NONE, 0, 0, 0)
#define LOAD_X ROW(KELF_LOAD, L, KELF_MORE_NONE, 0, F_RC, 0)
#define STORE_X ROW(KELF_STORE, S, KELF_MORE_NONE, 0, F_RC, 0)
#define CI_LOAD ROW(KELF_CI_LOAD, L, KELF_MORE_NONE, 0, F_RC, 0)
#define CI_STORE ROW(KELF_CI_STORE, S, KELF_MORE_NONE, 0, F_RC, 0)
#define LARX(bytes) ROW(KELF_LARX, L, KELF_MORE_SIZE, bytes, 0, 0)
#define STCX(bytes) ROW(KELF_STCX, S, KELF_MORE_SIZE, bytes, F_RC, F_RC)

/* Opcodes 57, 58, 61 and 62 differ in their lowest bits: kelf_decode() looks at them. */
const struct kelf_row kelf_primary[64] = {
	[16] = ROW(KELF_BRANCH, 0, KELF_MORE_BRANCH_B, 0, 0, 0),
	[17] = ROW(KELF_SC, 0, KELF_MORE_SC, 0, 0, 0),
	[18] = ROW(KELF_BRANCH, 0, KELF_MORE_BRANCH_I, 0, 0, 0),
	[32] = LOAD,  /* lwz */
	[33] = LOAD,  /* lwzu */
	[34] = LOAD,  /* lbz */
	[35] = LOAD,  /* lbzu */
	[36] = STORE, /* stw */
	[37] = STORE, /* stwu */
	[38] = STORE, /* stb */
	[39] = STORE, /* stbu */
	[40] = LOAD,  /* lhz */
	[41] = LOAD,  /* lhzu */
	[42] = LOAD,  /* lha */
	[43] = LOAD,  /* lhau */
	[44] = STORE, /* sth */
	[45] = STORE, /* sthu */
	[46] = LOAD,  /* lmw */
	[47] = STORE, /* stmw */
	[48] = LOAD,  /* lfs */
	[49] = LOAD,  /* lfsu */
	[50] = LOAD,  /* lfd */
	[51] = LOAD,  /* lfdu */
	[52] = STORE, /* stfs */
	[53] = STORE, /* stfsu */
	[54] = STORE, /* stfd */
	[55] = STORE, /* stfdu */
	[56] = ROW(KELF_LOAD, L, KELF_MORE_NONE, 0, 0xf, 0), /* lq */
};

const struct kelf_row kelf_ext19[1024] = {
	[16] = ROW(KELF_BRANCH, 0, KELF_MORE_BRANCH_R, KELF_BR_LR, 0xe000, 0),
	[528] = ROW(KELF_BRANCH, 0, KELF_MORE_BRANCH_R, KELF_BR_CTR, 0xe000, 0),
	[560] = ROW(KELF_BRANCH, 0, KELF_MORE_BRANCH_R, KELF_BR_TAR, 0xe000, 0),
	[18] = PLAIN(KELF_RFID, F_RT | F_RA | F_RB | F_RC),
	[82] = PLAIN(KELF_RFSCV, F_RT | F_RA | F_RB | F_RC),
	[274] = PLAIN(KELF_HRFID, F_RT | F_RA | F_RB | F_RC),
	[150] = PLAIN(KELF_ISYNC, F_RT | F_RA | F_RB | F_RC),
	[370] = PLAIN(KELF_STOP, F_RT | F_RA | F_RB | F_RC),
};

const struct kelf_row kelf_ext31[1024] = {
	[339] = ROW(KELF_MFSPR, 0, KELF_MORE_SPR, 0, F_RC, 0),
	[467] = ROW(KELF_MTSPR, 0, KELF_MORE_SPR, 0, F_RC, 0),
	[371] = ROW(KELF_MFTB, 0, KELF_MORE_TBR, 0, F_RC, 0),
	[83] = PLAIN(KELF_MFMSR, F_RA | F_RB | F_RC),
	[146] = ROW(KELF_MTMSR, 0, KELF_MORE_MSR_L, 0, 0x001ef801, 0),
	[178] = ROW(KELF_MTMSRD, 0, KELF_MORE_MSR_L, 0, 0x001ef801, 0),
	[598] = ROW(KELF_HWSYNC, 0, KELF_MORE_SYNC, 0, 0x031cf801, 0),
	[854] = PLAIN(KELF_EIEIO, F_RT | F_RA | F_RB | F_RC),
	/* tlbie and tlbiel: RIC, PRS and R sit in the RA field, above a reserved bit. */
	[306] = PLAIN(KELF_TLBIE, 0x00100000 | F_RC),
	[274] = PLAIN(KELF_TLBIEL, 0x00100000 | F_RC),
	[566] = PLAIN(KELF_TLBSYNC, F_RT | F_RA | F_RB | F_RC),
	[402] = PLAIN(KELF_SLBMTE, F_RA | F_RC),
	[915] = PLAIN(KELF_SLBMFEE, 0x001e0000 | F_RC),
	[851] = PLAIN(KELF_SLBMFEV, 0x001e0000 | F_RC),
	[979] = ROW(KELF_SLBFEE, 0, KELF_MORE_NONE, 0, F_RA | F_RC, F_RC),
	[434] = PLAIN(KELF_SLBIE, F_RT | F_RA | F_RC),
	[466] = PLAIN(KELF_SLBIEG, F_RA | F_RC),
	[498] = PLAIN(KELF_SLBIA, 0x03000000 | F_RA | F_RB | F_RC),
	[850] = PLAIN(KELF_SLBIAG, 0x001e0000 | F_RB | F_RC),
	[338] = PLAIN(KELF_SLBSYNC, F_RT | F_RA | F_RB | F_RC),
	[206] = PLAIN(KELF_MSGSND, F_RT | F_RA | F_RC),
	[238] = PLAIN(KELF_MSGCLR, F_RT | F_RA | F_RC),
	[142] = PLAIN(KELF_MSGSNDP, F_RT | F_RA | F_RC),
	[174] = PLAIN(KELF_MSGCLRP, F_RT | F_RA | F_RC),
	[886] = PLAIN(KELF_MSGSYNC, F_RT | F_RA | F_RB | F_RC),
	[838] = PLAIN(KELF_CP_ABORT, F_RT | F_RA | F_RB | F_RC),
	[19] = ROW(KELF_MFCR, 0, KELF_MORE_CR, 0, 0x00000801, 0),
	[144] = ROW(KELF_MTCR, 0, KELF_MORE_CR, 0, 0x00000801, 0),
	[52] = LARX(1),
	[116] = LARX(2),
	[20] = LARX(4),
	[84] = LARX(8),
	[276] = LARX(16),
	[694] = STCX(1),
	[726] = STCX(2),
	[150] = STCX(4),
	[214] = STCX(8),
	[182] = STCX(16),
	[789] = CI_LOAD,  /* lwzcix */
	[821] = CI_LOAD,  /* lhzcix */
	[853] = CI_LOAD,  /* lbzcix */
	[885] = CI_LOAD,  /* ldcix */
	[917] = CI_STORE, /* stwcix */
	[949] = CI_STORE, /* sthcix */
	[981] = CI_STORE, /* stbcix */
	[1013] = CI_STORE, /* stdcix */
	[23] = LOAD_X,   /* lwzx */
	[55] = LOAD_X,   /* lwzux */
	[87] = LOAD_X,   /* lbzx */
	[119] = LOAD_X,  /* lbzux */
	[279] = LOAD_X,  /* lhzx */
	[311] = LOAD_X,  /* lhzux */
	[343] = LOAD_X,  /* lhax */
	[375] = LOAD_X,  /* lhaux */
	[341] = LOAD_X,  /* lwax */
	[373] = LOAD_X,  /* lwaux */
	[21] = LOAD_X,   /* ldx */
	[53] = LOAD_X,   /* ldux */
	[532] = LOAD_X,  /* ldbrx */
	[534] = LOAD_X,  /* lwbrx */
	[790] = LOAD_X,  /* lhbrx */
	[533] = LOAD_X,  /* lswx */
	[597] = LOAD_X,  /* lswi */
	[582] = LOAD_X,  /* lwat */
	[614] = LOAD_X,  /* ldat */
	[535] = LOAD_X,  /* lfsx */
	[567] = LOAD_X,  /* lfsux */
	[599] = LOAD_X,  /* lfdx */
	[631] = LOAD_X,  /* lfdux */
	[791] = LOAD_X,  /* lfdpx */
	[855] = LOAD_X,  /* lfiwax */
	[887] = LOAD_X,  /* lfiwzx */
	[7] = LOAD_X,    /* lvebx */
	[39] = LOAD_X,   /* lvehx */
	[71] = LOAD_X,   /* lvewx */
	[103] = LOAD_X,  /* lvx */
	[359] = LOAD_X,  /* lvxl */
	[12] = LOAD,     /* lxsiwzx */
	[76] = LOAD,     /* lxsiwax */
	[524] = LOAD,    /* lxsspx */
	[588] = LOAD,    /* lxsdx */
	[781] = LOAD,    /* lxsibzx */
	[813] = LOAD,    /* lxsihzx */
	[268] = LOAD,    /* lxvx */
	[269] = LOAD,    /* lxvl */
	[301] = LOAD,    /* lxvll */
	[332] = LOAD,    /* lxvdsx */
	[364] = LOAD,    /* lxvwsx */
	[780] = LOAD,    /* lxvw4x */
	[812] = LOAD,    /* lxvh8x */
	[844] = LOAD,    /* lxvd2x */
	[876] = LOAD,    /* lxvb16x */
	[13] = LOAD,     /* lxvrbx */
	[45] = LOAD,     /* lxvrhx */
	[77] = LOAD,     /* lxvrwx */
	[109] = LOAD,    /* lxvrdx */
	[333] = LOAD_X,  /* lxvpx */
	[151] = STORE_X, /* stwx */
	[183] = STORE_X, /* stwux */
	[215] = STORE_X, /* stbx */
	[247] = STORE_X, /* stbux */
	[407] = STORE_X, /* sthx */
	[439] = STORE_X, /* sthux */
	[149] = STORE_X, /* stdx */
	[181] = STORE_X, /* stdux */
	[660] = STORE_X, /* stdbrx */
	[662] = STORE_X, /* stwbrx */
	[918] = STORE_X, /* sthbrx */
	[661] = STORE_X, /* stswx */
	[725] = STORE_X, /* stswi */
	[710] = STORE_X, /* stwat */
	[742] = STORE_X, /* stdat */
	[663] = STORE_X, /* stfsx */
	[695] = STORE_X, /* stfsux */
	[727] = STORE_X, /* stfdx */
	[759] = STORE_X, /* stfdux */
	[919] = STORE_X, /* stfdpx */
	[983] = STORE_X, /* stfiwx */
	[135] = STORE_X, /* stvebx */
	[167] = STORE_X, /* stvehx */
	[199] = STORE_X, /* stvewx */
	[231] = STORE_X, /* stvx */
	[487] = STORE_X, /* stvxl */
	[140] = STORE,   /* stxsiwx */
	[652] = STORE,   /* stxsspx */
	[716] = STORE,   /* stxsdx */
	[909] = STORE,   /* stxsibx */
	[941] = STORE,   /* stxsihx */
	[396] = STORE,   /* stxvx */
	[397] = STORE,   /* stxvl */
	[429] = STORE,   /* stxvll */
	[908] = STORE,   /* stxvw4x */
	[940] = STORE,   /* stxvh8x */
	[972] = STORE,   /* stxvd2x */
	[1004] = STORE,  /* stxvb16x */
	[141] = STORE,   /* stxvrbx */
	[173] = STORE,   /* stxvrhx */
	[205] = STORE,   /* stxvrwx */
	[237] = STORE,   /* stxvrdx */
	[461] = STORE_X, /* stxvpx */
};

const uint8_t kelf_suffix_8ls[64] = {
	[41] = L, /* plwa */
	[42] = L, /* plxsd */
	[43] = L, /* plxssp */
	[46] = S, /* pstxsd */
	[47] = S, /* pstxssp */
	[50] = L, /* plxv */
	[51] = L,
	[54] = S, /* pstxv */
	[55] = S,
	[56] = L, /* plq */
	[57] = L, /* pld */
	[58] = L, /* plxvp */
	[60] = S, /* pstq */
	[61] = S, /* pstd */
	[62] = S, /* pstxvp */
};

const uint8_t kelf_suffix_mls[64] = {
	[14] = KELF_PFX_PLAIN, /* paddi */
	[32] = L, /* plwz */
	[34] = L, /* plbz */
	[36] = S, /* pstw */
	[38] = S, /* pstb */
	[40] = L, /* plhz */
	[42] = L, /* plha */
	[44] = S, /* psth */
	[48] = L, /* plfs */
	[50] = L, /* plfd */
	[52] = S, /* pstfs */
	[54] = S, /* pstfd */
};
