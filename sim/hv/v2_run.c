// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The engine of the nestedv2 model: phases, the progress a vCPU makes in them
 * at the rate its SMT siblings leave it, and where their cycles are accounted.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "engine/rnd.h"
#include "hv/v2_sim.h"

static bool dilates(const struct vcpu *v)
{
	const unsigned waits = 1u << PH_BLOCKED | 1u << PH_RUNNABLE | 1u << PH_AWAY;

	return !(waits >> v->phase & 1) &&
	       !(v->phase == PH_GUEST && v->want.act == GUEST_SNOOZE);
}

/* The state of a phase that walks a path. */
static enum v2_cycles path_state(enum v2_phase phase)
{
	return phase == PH_L0_ENTER || phase == PH_L0_EXIT ? V2_IN_L0 : V2_IN_L1;
}

static enum v2_cycles state_of(const struct vcpu *v)
{
	switch (v->phase) {
	case PH_BLOCKED:
		return V2_BLOCKED;
	case PH_RUNNABLE:
	case PH_AWAY:
		return V2_RUNNABLE;
	case PH_GUEST:
		if (v->want.act == GUEST_SNOOZE)
			return V2_IN_SNOOZE;
		return v->want.kernel ? V2_IN_KERNEL : V2_IN_GUEST;
	default:
		return path_state(v->phase);
	}
}

static uint32_t rate_of(const struct v2_sim *sim, const struct l1_cpu *cpu)
{
	const uint32_t *all = sim->cpu[cpu->core].threads;
	uint32_t beside[SMT_ACTIVITIES];

	if (cpu->siblings == 1)
		return sim->s->smt_rule.share[1];
	for (unsigned a = 0; a < SMT_ACTIVITIES; a++)
		beside[a] = all[a] - (cpu->activity == a);
	return sim->rate[beside[SMT_IDLE]][beside[SMT_POLL]][beside[SMT_ACTIVE]];
}

/* The rate of a thread for everything that its siblings can do. */
static void fill_rates(struct v2_sim *sim)
{
	uint32_t n = sim->s->smt;

	for (uint32_t idle = 0; idle < n; idle++)
		for (uint32_t poll = 0; idle + poll < n; poll++)
			for (uint32_t active = 0; idle + poll + active < n; active++) {
				const uint32_t beside[SMT_ACTIVITIES] = {
					[SMT_IDLE] = idle, [SMT_POLL] = poll, [SMT_ACTIVE] = active,
				};

				sim->rate[idle][poll][active] = smt_rate(&sim->s->smt_rule, beside);
			}
}

/* Bring a vCPU's progress up to now. */
static void settle(struct v2_sim *sim, struct vcpu *v)
{
	uint64_t elapsed = sim->now - v->since;

	v->since = sim->now;
	v->elapsed += elapsed;
	if (!dilates(v))
		return;
	v->done += elapsed * v->rate;
	if (v->todo != V2_NEVER && v->done > v->todo)
		v->done = v->todo;
}

/* Set the deadline of a settled vCPU. */
static void arm(struct v2_sim *sim, struct vcpu *v)
{
	uint64_t end = v->until, left;

	if (v->todo != V2_NEVER) {
		left = v->todo - v->done;
		/* Alone on a core, which is most of the time, the divisor is known. */
		if (v->rate == SMT_FULL)
			left = sim->now + (left + SMT_FULL - 1) / SMT_FULL;
		else
			left = sim->now + left / v->rate + (left % v->rate != 0);
		if (left < end)
			end = left;
	}
	if (end == V2_NEVER)
		dlq_clear(&sim->deadlines, v->index);
	else
		dlq_set(&sim->deadlines, v->index, end);
}

/* What a thread does has changed: its siblings go on at another rate. */
static __attribute__((noinline)) void change_activity(struct v2_sim *sim, struct l1_cpu *cpu,
						      enum smt_activity activity)
{
	sim->cpu[cpu->core].threads[cpu->activity]--;
	sim->cpu[cpu->core].threads[activity]++;
	cpu->activity = activity;
	for (uint32_t i = cpu->core; i < cpu->core + cpu->siblings; i++) {
		struct vcpu *v = sim->cpu[i].current;
		uint32_t rate;

		if (i == cpu->index || !v || !dilates(v))
			continue;
		rate = rate_of(sim, &sim->cpu[i]);
		if (rate == v->rate)
			continue;
		settle(sim, v);
		v->rate = rate;
		arm(sim, v);
	}
}

void v2_set_activity(struct v2_sim *sim, struct l1_cpu *cpu, enum smt_activity activity)
{
	if (cpu->activity != activity)
		change_activity(sim, cpu, activity);
}

static bool walks_a_path(const struct vcpu *v)
{
	return v->phase != PH_GUEST && v->phase != PH_BLOCKED && v->phase != PH_RUNNABLE;
}

static void tell(const struct hv_observer *o, const struct v2_sim *sim, const struct vcpu *v)
{
	if (o->pending)
		o->pending(o->ctx, sim->now, v->index, v->pending_dec);
	if (o->path && walks_a_path(v))
		o->path(o->ctx, sim->now, v->index, v2_path_file(v->path));
	if (o->state)
		o->state(o->ctx, sim->now, v->index, state_of(v));
}

static void observe_state(const struct v2_sim *sim, const struct vcpu *v)
{
	if (sim->watched)
		tell(sim->s->observer, sim, v);
}

static inline void start(struct v2_sim *sim, struct vcpu *v, enum v2_phase phase, uint64_t work,
			 uint64_t until, enum smt_activity activity)
{
	struct l1_cpu *cpu = &sim->cpu[v->cpu];

	v->phase = phase;
	v->since = sim->now;
	v->elapsed = 0;
	v->done = 0;
	v->todo = work == V2_NEVER ? V2_NEVER : work * V2_MILLI;
	v->until = until;
	v2_set_activity(sim, cpu, activity);
	v->rate = rate_of(sim, cpu);
	observe_state(sim, v);
	arm(sim, v);
}

/* Begin a phase: `work` undisturbed cycles (V2_NEVER: no end of its own), at most until `until`. */
void v2_phase_start(struct v2_sim *sim, struct vcpu *v, enum v2_phase phase, uint64_t work,
		    uint64_t until)
{
	bool polls = phase == PH_GUEST && v->want.act == GUEST_SNOOZE;

	start(sim, v, phase, work, until,
	      phase == PH_AWAY ? SMT_IDLE : polls ? SMT_POLL : SMT_ACTIVE);
}

void v2_phase_work(struct v2_sim *sim, struct vcpu *v, enum v2_phase phase, enum v2_path path,
		   uint32_t gets, uint32_t sets)
{
	const uint64_t *cost = sim->s->cost;

	v->path = path;
	v->phase_cost = cost[path];
	v->gets = gets;
	v->sets = sets;
	v->r.sets += sets;
	start(sim, v, phase, cost[path] + gets * cost[V2_GSB_GET] + sets * cost[V2_GSB_SET],
	      V2_NEVER, SMT_ACTIVE);
}

/* A path that takes so long as was recorded, with whatever it had to ask for. */
void v2_phase_recorded(struct v2_sim *sim, struct vcpu *v, enum v2_phase phase, enum v2_path path,
		       uint64_t cycles)
{
	v->path = path;
	v->phase_cost = cycles;
	v->gets = v->sets = 0;
	start(sim, v, phase, cycles, V2_NEVER, SMT_ACTIVE);
}

/* Begin to wait, off the CPU. */
void v2_phase_wait(struct v2_sim *sim, struct vcpu *v, enum v2_phase phase)
{
	v->phase = phase;
	v->since = sim->now;
	v->elapsed = 0;
	observe_state(sim, v);
	dlq_clear(&sim->deadlines, v->index);
}

/* State hcalls of the phase, which most phases don't make. Returns their cycles. */
static uint64_t account_hcalls(struct v2_sim *sim, struct vcpu *v)
{
	const uint64_t *cost = sim->s->cost;
	uint64_t gsb = v->gets * cost[V2_GSB_GET] + v->sets * cost[V2_GSB_SET];

	v->r.cycles[V2_IN_GSB] += gsb;
	sim->result->paths[V2_GSB_GET] += v->gets;
	sim->result->paths[V2_GSB_SET] += v->sets;
	return gsb;
}

static void account_path(struct v2_sim *sim, struct vcpu *v)
{
	uint64_t cost = v->phase_cost;

	if (v->done < v->todo) {
		v->r.cycles[V2_CUT] += v->elapsed;
		return;
	}
	v->r.cycles[path_state(v->phase)] += cost;
	sim->result->paths[v->path]++;
	if (v->gets | v->sets)
		cost += account_hcalls(sim, v);
	v->r.cycles[V2_SMT] += v->elapsed - cost;
}

/* End the phase now and account for its cycles. Guest work is told to the guest. */
void v2_phase_end(struct v2_sim *sim, struct vcpu *v)
{
	uint64_t work;

	settle(sim, v);
	if (!dilates(v)) {
		v->r.cycles[state_of(v)] += v->elapsed;
		return;
	}
	if (v->phase != PH_GUEST) {
		account_path(sim, v);
		return;
	}
	work = v->done / V2_MILLI;
	v->r.cycles[state_of(v)] += work;
	v->r.cycles[V2_SMT] += v->elapsed - work;
	guest_worked(&v->guest, &v->want, work);
}

static void start_vcpus(struct v2_sim *sim)
{
	const struct v2_setup *s = sim->s;

	for (uint32_t i = 0; i < s->vcpus; i++) {
		struct vcpu *v = &sim->vcpu[i];

		guest_init(&v->guest, &s->guest, &s->load[i], i);
		v->index = i;
		v->cpu = i % s->l1_cpus;
		v->host_timer = V2_NEVER;
		v->stale_expiry = guest_dec(&v->guest, 0);
		v->phase = PH_BLOCKED;
		v->pending_ext = s->ext_pending == V2_EXT_STUCK;
	}
	v2_arrive_start(sim);
}

static void add_up(struct v2_vcpu_result *sum, const struct v2_vcpu_result *r)
{
	const uint64_t *from = (const uint64_t *)r;
	uint64_t *to = (uint64_t *)sum;

	static_assert(sizeof(*r) % sizeof(uint64_t) == 0, "counters only");
	for (size_t i = 0; i < sizeof(*r) / sizeof(*from); i++)
		to[i] += from[i];
}

static void finish(struct v2_sim *sim, struct v2_result *result)
{
	const struct v2_setup *s = sim->s;

	sim->now = s->duration;
	result->vcpus = s->vcpus;
	result->vcpu = mem_zalloc(s->vcpus, sizeof(*result->vcpu));
	for (uint32_t i = 0; i < s->vcpus; i++) {
		struct vcpu *v = &sim->vcpu[i];

		v2_phase_end(sim, v);
		v->r.guest = v->guest.counts;
		if (v->guest.load.loop)
			v->r.loops = (uint64_t)((unsigned __int128)v->guest.counts.work * 1000000 /
						v->guest.load.loop_ucycles);
		result->vcpu[i] = v->r;
		add_up(&result->total, &v->r);
	}
}

static void dispatch(struct v2_sim *sim, uint32_t owner)
{
	uint32_t vcpus = sim->s->vcpus, cpus = sim->s->l1_cpus;
	struct vcpu *v;

	if (owner >= vcpus + cpus) {
		v2_arrive_event(sim, &sim->vcpu[owner - vcpus - cpus]);
		return;
	}
	if (owner >= vcpus) {
		v2_l1_idle_event(sim, &sim->cpu[owner - vcpus]);
		return;
	}
	v = &sim->vcpu[owner];
	if (v->phase == PH_GUEST)
		v2_guest_event(sim, v);
	else
		v2_turn_next(sim, v);
}

void v2_run(const struct v2_setup *s, struct v2_result *result)
{
	struct v2_sim sim = { .s = s, .result = result };
	struct rnd phase = { s->guest.seed, 0, rnd_purpose("l1 tick phase") };
	uint32_t owner;

	assert(s->vcpus && s->l1_cpus && s->smt && s->smt <= SMT_THREADS_MAX && s->duration);
	*result = (struct v2_result){ 0 };
	hist_init(&result->wake_latency);
	dlq_init(&sim.deadlines, s->vcpus + s->l1_cpus + (s->arrivals ? s->vcpus : 0));
	sim.watched = s->observer && (s->observer->pending || s->observer->path ||
				      s->observer->state);
	sim.l1_tick_phase = rnd_below(&phase, 0, s->l1_tick_period);
	sim.vcpu = mem_zalloc(s->vcpus, sizeof(*sim.vcpu));
	sim.cpu = mem_zalloc(s->l1_cpus, sizeof(*sim.cpu));
	fill_rates(&sim);
	for (uint32_t i = 0; i < s->l1_cpus; i++)
		v2_l1_init(&sim, &sim.cpu[i], i);
	start_vcpus(&sim);
	while (dlq_fire_by(&sim.deadlines, s->duration, &owner)) {
		sim.now = sim.deadlines.now;
		result->events++;
		dispatch(&sim, owner);
	}
	finish(&sim, result);
	for (uint32_t i = 0; i < s->l1_cpus; i++)
		free(sim.cpu[i].queue);
	free(sim.cpu);
	free(sim.vcpu);
	dlq_done(&sim.deadlines);
}

void v2_result_done(struct v2_result *result)
{
	free(result->vcpu);
	hist_done(&result->wake_latency);
	*result = (struct v2_result){ 0 };
}
