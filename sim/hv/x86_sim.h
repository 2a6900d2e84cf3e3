/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the x86 loop share; nobody else includes it. */
#ifndef HVSIM_HV_X86_SIM_H
#define HVSIM_HV_X86_SIM_H

#include "engine/evq.h"
#include "engine/rnd.h"
#include "hv/x86_loop.h"

/* Where a vCPU is. Interrupts of the host are off from FINAL to EXIT and in FAST. */
enum x86_stage {
	AT_HALT,    /* blocked, nothing scheduled */
	AT_POLL,
	AT_WAKE,
	AT_WORK,    /* host task work */
	AT_OUTER,   /* from vcpu_run()'s test for task work to the pass */
	AT_SCAN,    /* testing bits that are not set */
	AT_HANDLER, /* a request's handler */
	AT_PREPARE,
	AT_FINAL,   /* up to the final check */
	AT_ENTRY,
	AT_GUEST,
	AT_EXIT,
	AT_FAST,
	AT_HANDLE,
	AT_CANCEL,
};

/* An exit on its way through the host. */
struct x86_exit {
	uint64_t handle, raises;
	unsigned source; /* whose effects to apply after the handler, or X86_NONE */
	bool fast, halt;
};

struct x86_vcpu {
	unsigned index;
	enum x86_stage stage;
	evq_id event;        /* end of the stage; EVQ_NO_ID when it has none */
	uint64_t since;      /* the stage, or its part not accounted yet, began */
	uint64_t dilated;    /* cycles of it that host interrupts took */
	uint64_t bits, own;  /* requests; those a handler raised in this pass */
	bool work;           /* host task work */
	uint64_t irq_cycles; /* host interrupts that came while they were off */
	unsigned irqs;
	bool irq_work;
	unsigned pos, target, request; /* of the pass */
	uint64_t skip_from;
	uint64_t pass, outer_at;
	unsigned tries;      /* passes since the last entry */
	uint64_t task_done;
	uint64_t due[X86_SOURCES_MAX], arrived[X86_SOURCES_MAX];
	uint32_t pending[X86_SOURCES_MAX]; /* reactions to come */
	unsigned active, exits_left;       /* reaction going on; X86_NONE */
	uint64_t part_left;                /* of it, up to its next exit or end */
	uint64_t closed;                   /* gates, by request */
	uint64_t handles[X86_REQUESTS_MAX];
	struct x86_exit exit;
	uint64_t halted_at, poll;
	uint32_t awaited;                  /* HALT sources whose arrival is on its way */
	struct x86_vcpu_result *out;
};

struct x86_sim {
	const struct x86_setup *setup;
	struct x86_result *result;
	struct evq queue;
	struct x86_vcpu vcpu[X86_VCPUS_MAX];
	uint32_t purpose[X86_SOURCES_MAX], chance_purpose[X86_SOURCES_MAX];
	uint32_t edge_purpose, reload_purpose, target_purpose;
	struct err *err;
	bool stuck;
};

#define X86_KIND_STAGE 0u
#define X86_KIND_INTERVAL 1u
#define X86_KIND_SOURCE 2u

static inline uint64_t x86_now(const struct x86_sim *s)
{
	return evq_now(&s->queue);
}

static inline void x86_observe(const struct x86_sim *s, const struct x86_vcpu *v,
			       enum x86_state state)
{
	const struct hv_observer *o = s->setup->observer;

	if (o && o->state)
		o->state(o->ctx, x86_now(s), v->index, state);
}

/* x86_vcpu.c: the loop itself. */
void x86_vcpu_stage_end(struct x86_sim *s, struct x86_vcpu *v);
void x86_vcpu_outer(struct x86_sim *s, struct x86_vcpu *v);
void x86_vcpu_begin(struct x86_sim *s, struct x86_vcpu *v, enum x86_stage stage,
		    uint64_t cycles);
/* Put the cycles up to now where they belong. */
void x86_vcpu_account(struct x86_sim *s, struct x86_vcpu *v, uint64_t now);

/* x86_arrive.c: what comes from outside. */
void x86_arrive_start(struct x86_sim *s);
void x86_arrive(struct x86_sim *s, struct x86_vcpu *v, unsigned source);
void x86_raise(struct x86_sim *s, struct x86_vcpu *v, uint64_t bits);
void x86_effects(struct x86_sim *s, struct x86_vcpu *v, unsigned source);
void x86_halted(struct x86_sim *s, struct x86_vcpu *v);
/* Cycles to the next arrival of a source, at least 1; counts it. */
uint64_t x86_next_arrival(struct x86_sim *s, struct x86_vcpu *v, unsigned source);

/* x86_inside.c: the vCPU in guest mode. */
void x86_inside_enter(struct x86_sim *s, struct x86_vcpu *v);
void x86_inside_event(struct x86_sim *s, struct x86_vcpu *v);
void x86_inside_leave(struct x86_sim *s, struct x86_vcpu *v, unsigned cause,
		      const struct x86_exit *e);
/* A posted interrupt: go on from here with what the guest has to do now. */
void x86_inside_replan(struct x86_sim *s, struct x86_vcpu *v);
bool x86_inside_has_work(const struct x86_sim *s, const struct x86_vcpu *v);

#endif
