import type { AuditFindings, UnknownDebit } from '../../../domain/notice.ts'
import { formatGhs } from '../../../provider/money.ts'
import { escapeHtml, oneLine } from '../../chat/screen.ts'
import { when } from '../../chat/time.ts'
import { b, code, grouped, joined, lines } from '../../words/markup.ts'

/** Tells owners after a restore about charges that no order in this bot explains. */

export const audit = ({ sinceMs, debits, more }: AuditFindings, now: Date) => {
  const count = debits.length + more
  return lines(
    `⚠️ ${b('Charged, but not in this bot’s books')}`,
    `I was restored from a backup. Since it was made (${when(new Date(sinceMs), now)}), your wallet has been charged ${count === 1 ? 'once for an order' : `${grouped(count)} times for orders`} I don’t have:`,
    '',
    ...debits.map((debit) => unknownDebit(debit, now)),
    more > 0 ? `… and ${more} more: /transactions` : null,
    '',
    count === 1
      ? 'You made this order before the restore, or elsewhere. Before you order the same thing again, send the reference to see that order.'
      : 'You made these orders before the restore, or elsewhere. Before you order the same thing again, send a reference to see that order.',
  )
}

const unknownDebit = ({ atMs, amountPesewas, description, reference }: UnknownDebit, now: Date) =>
  joined(
    ' · ',
    `• ${atMs === null ? '' : `${when(new Date(atMs), now)} · `}${b(formatGhs(amountPesewas))}`,
    description ? escapeHtml(oneLine(description)) : null,
    reference ? code(reference) : null,
  )
