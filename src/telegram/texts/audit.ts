import { formatGhs } from '../../provider/money.ts'
import type { AuditReport, UnknownDebit } from '../../relay/notice.ts'
import { escapeHtml, oneLine } from '../screen.ts'
import { when } from '../time.ts'
import { b, code, joined, lines } from './markup.ts'

/** What is told of a wallet after a restore. */

export const audit = ({ sinceMs, debits, more }: AuditReport, now: Date) =>
  lines(
    `⚠️ ${b('Charged, but not in this bot’s books')}`,
    `This bot was restored from a copy of its data of ${when(new Date(sinceMs), now)}. Since then your wallet was charged ${debits.length + more === 1 ? 'once' : `${debits.length + more} times`} for what it knows no order of:`,
    '',
    ...debits.map((debit) => unknownDebit(debit, now)),
    more > 0 ? `and ${more} more: /transactions shows all.` : null,
    '',
    'They were ordered here before the restore, or elsewhere with your account. Look before you order the same again: send a reference to see what became of it.',
  )

const unknownDebit = ({ atMs, amountPesewas, description, reference }: UnknownDebit, now: Date) =>
  joined(
    ' · ',
    `• ${atMs === null ? '' : `${when(new Date(atMs), now)} · `}${b(formatGhs(amountPesewas))}`,
    description ? escapeHtml(oneLine(description, 120)) : null,
    reference ? code(reference) : null,
  )
