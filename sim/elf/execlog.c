// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/execlog.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define LINE_SIZE 512

/* Where the words of a translated block are; key 0 is none. */
struct entry {
	uint64_t key, pc;
	size_t first, n;
};

/* Open addressing, a power of two in size. */
struct table {
	struct entry *entry;
	size_t n, size;
};

struct kelf_log {
	FILE *f;
	const char *name;
	unsigned line;
	uint32_t *word;
	size_t nword, word_cap;
	struct table by_host; /* blocks that ran, by QEMU's name for them */
	struct table by_pc;   /* the latest translation of an address (plus one) */
	struct entry fresh;   /* the block being read, or just read */
};

struct kelf_log *kelf_log_from(FILE *f, const char *name)
{
	struct kelf_log *log = mem_zalloc(1, sizeof(*log));

	log->f = f;
	log->name = name;
	return log;
}

struct kelf_log *kelf_log_open(const char *name, struct err *err)
{
	FILE *f = fopen(name, "re");

	if (!f) {
		err_at(err, name, 0, "%s", strerror(errno));
		return NULL;
	}
	return kelf_log_from(f, name);
}

void kelf_log_close(struct kelf_log *log)
{
	if (!log)
		return;
	fclose(log->f);
	free(log->word);
	free(log->by_host.entry);
	free(log->by_pc.entry);
	free(log);
}

/* A line without its end; the rest of one that is too long is passed over. */
static bool read_line(struct kelf_log *log, char *buf)
{
	size_t len;
	int c;

	if (!fgets(buf, LINE_SIZE, log->f))
		return false;
	log->line++;
	len = strlen(buf);
	if (len && buf[len - 1] == '\n') {
		buf[len - 1] = '\0';
		return true;
	}
	while ((c = getc(log->f)) != EOF && c != '\n')
		;
	return true;
}

static bool read_hex(const char **p, uint64_t *v)
{
	char *end;

	if (!strchr("0123456789abcdefABCDEF", **p) || !**p)
		return false;
	errno = 0;
	*v = strtoull(*p, &end, 16);
	*p = end;
	return !errno;
}

/* "0xc000…:  3c4c0115  addis …": a word of the block being translated. */
static int add_word(struct kelf_log *log, const char *line, struct err *err)
{
	const char *p = line + 2;
	uint64_t pc, word;

	if (!read_hex(&p, &pc) || *p++ != ':')
		return 0;
	p += strspn(p, " \t");
	if (!read_hex(&p, &word) || word > UINT32_MAX || (*p && *p != ' '))
		return 0;
	if (!log->fresh.n || pc != log->fresh.pc + 4 * log->fresh.n)
		log->fresh = (struct entry){ 0, pc, log->nword, 0 };
	if (log->nword >= KELF_LOG_WORDS_MAX)
		return err_at(err, log->name, log->line,
			      "more than %zu instructions translated: log a "
			      "shorter run",
			      KELF_LOG_WORDS_MAX);
	log->word = mem_grow(log->word, &log->word_cap, log->nword + 1, sizeof(*log->word));
	log->word[log->nword++] = (uint32_t)word;
	log->fresh.n++;
	return 0;
}

static size_t slot(const struct table *t, uint64_t key)
{
	size_t i = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (t->size - 1);

	while (t->entry[i].key && t->entry[i].key != key)
		i = (i + 1) & (t->size - 1);
	return i;
}

/* The place of a key, which is free when its key is 0. */
static struct entry *place(struct table *t, uint64_t key)
{
	struct entry *old = t->entry;
	size_t size = t->size;

	if (2 * (t->n + 1) > size) {
		t->size = size ? size * 2 : 1024;
		t->entry = mem_zalloc(t->size, sizeof(*t->entry));
		for (size_t i = 0; i < size; i++)
			if (old[i].key)
				t->entry[slot(t, old[i].key)] = old[i];
		free(old);
	}
	return &t->entry[slot(t, key)];
}

static void put(struct table *t, uint64_t key, const struct entry *e)
{
	struct entry *to = place(t, key);

	t->n += !to->key;
	*to = *e;
	to->key = key;
}

/*
 * A block that runs right after its translation was logged takes QEMU's name, also from an
 * older one whose place it took. One that was translated before its first run was logged
 * is the latest translation of its address.
 */
static const struct entry *entry_of(struct kelf_log *log, uint64_t host, uint64_t pc)
{
	const struct entry *e;

	if (log->fresh.n && log->fresh.pc == pc) {
		put(&log->by_host, host, &log->fresh);
		log->fresh = (struct entry){ 0 };
	}
	e = place(&log->by_host, host);
	if (e->key && e->pc == pc)
		return e;
	e = place(&log->by_pc, pc + 1);
	if (!e->key)
		return NULL;
	put(&log->by_host, host, e);
	return place(&log->by_host, host);
}

/* The block that was being read is complete. */
static void end_block(struct kelf_log *log)
{
	if (log->fresh.n && log->fresh.pc != UINT64_MAX)
		put(&log->by_pc, log->fresh.pc + 1, &log->fresh);
}

/* "Trace 0: 0x7f3c24000100 [cs/pc/…": true when it is one. */
static bool read_trace(const char *line, uint64_t *host, uint64_t *pc)
{
	const char *p = strstr(line, "0x");
	uint64_t unused;

	if (strncmp(line, "Trace ", 6) || !p)
		return false;
	p += 2;
	if (!read_hex(&p, host) || !*host || strncmp(p, " [", 2))
		return false;
	p += 2;
	return read_hex(&p, &unused) && *p++ == '/' && read_hex(&p, pc);
}

int kelf_log_next(struct kelf_log *log, struct kelf_block *block, struct err *err)
{
	char line[LINE_SIZE];

	while (read_line(log, line)) {
		const struct entry *e;
		uint64_t host, pc;

		if (!strncmp(line, "IN:", 3)) {
			end_block(log);
			log->fresh = (struct entry){ 0 };
		} else if (!strncmp(line, "0x", 2) && add_word(log, line, err) < 0) {
			return -1;
		}
		if (!read_trace(line, &host, &pc))
			continue;
		end_block(log);
		e = entry_of(log, host, pc);
		*block = (struct kelf_block){ .pc = pc, .word = e ? log->word + e->first : NULL,
					      .n = e ? e->n : 0 };
		return 1;
	}
	return ferror(log->f) ? err_at(err, log->name, log->line, "cannot be read") : 0;
}
