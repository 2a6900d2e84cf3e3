// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/execlog.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define LINE_SIZE 512

/* Where the words of a translated block are; host is QEMU's name for it. */
struct entry {
	uint64_t host, pc;
	size_t first, n;
};

struct kelf_log {
	FILE *f;
	const char *name;
	unsigned line;
	uint32_t *word;
	size_t nword, word_cap;
	struct entry *entry; /* hash table by host, open addressing */
	size_t nentry, size;
	struct entry fresh;  /* translated, not run yet */
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
	free(log->entry);
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
		return err_at(err, log->name, log->line, "more than %zu instructions translated: log a "
			      "shorter run", KELF_LOG_WORDS_MAX);
	log->word = mem_grow(log->word, &log->word_cap, log->nword + 1, sizeof(*log->word));
	log->word[log->nword++] = (uint32_t)word;
	log->fresh.n++;
	return 0;
}

static size_t slot(const struct kelf_log *log, uint64_t host)
{
	size_t i = (size_t)(host * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (log->size - 1);

	while (log->entry[i].host && log->entry[i].host != host)
		i = (i + 1) & (log->size - 1);
	return i;
}

static void grow_table(struct kelf_log *log)
{
	struct entry *old = log->entry;
	size_t n = log->size;

	log->size = n ? n * 2 : 1024;
	log->entry = mem_zalloc(log->size, sizeof(*log->entry));
	for (size_t i = 0; i < n; i++)
		if (old[i].host)
			log->entry[slot(log, old[i].host)] = old[i];
	free(old);
}

/* QEMU reuses its blocks: a fresh translation of the same address takes the name over. */
static const struct entry *entry_of(struct kelf_log *log, uint64_t host, uint64_t pc)
{
	struct entry *e;

	if (2 * (log->nentry + 1) > log->size)
		grow_table(log);
	e = &log->entry[slot(log, host)];
	if (log->fresh.n && log->fresh.pc == pc) {
		log->nentry += !e->host;
		*e = log->fresh;
		e->host = host;
		log->fresh = (struct entry){ 0 };
	}
	return e->host && e->pc == pc ? e : NULL;
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

		if (!strncmp(line, "IN:", 3))
			log->fresh = (struct entry){ 0 };
		else if (!strncmp(line, "0x", 2) && add_word(log, line, err) < 0)
			return -1;
		if (!read_trace(line, &host, &pc))
			continue;
		e = entry_of(log, host, pc);
		*block = (struct kelf_block){ .pc = pc, .word = e ? log->word + e->first : NULL,
					      .n = e ? e->n : 0 };
		return 1;
	}
	return ferror(log->f) ? err_at(err, log->name, log->line, "cannot be read") : 0;
}
