/** What the judge reads in the bot's texts. It has its own list of words: if a text changes, check the list again. */

/** The text with `024 123 4567` as one word; the spaces in numbers and amounts are no-break spaces. */
export const ungrouped = (text: string): string =>
  text.replaceAll(/(?<=\d)\u00a0(?=\d)/g, '').replaceAll('\u00a0', ' ')

export const phonesIn = (text: string): string[] => text.match(/(?<!\d)0\d{9}(?!\d)/g) ?? []

/** Words in the form of a reference, such as `BUD-API-7QK2-100001`. */
export const referencesIn = (text: string): string[] => text.match(/\b[A-Z]{2,}(?:-[A-Z0-9]+)+\b/g) ?? []

/** The amounts in a text, such as `GHS 23.50`, in pesewas. */
export const amountsIn = (text: string): number[] =>
  [...text.matchAll(/GHS ([\d,]+\.\d\d)/g)].map(([, amount = '']) =>
    Math.round(Number(amount.replaceAll(',', '')) * 100),
  )

const denial =
  /nothing (?:was (?:sent or charged|ordered(?! or charged by)|charged)|(?:is|has been) charged\b(?! before))|wasn’t (?:sent or )?charged|not charged|was not ordered/i
/** Such a text quotes the person or says what was true at an earlier time, so it denies nothing. */
const notTheBots = /you said|when i last looked|as far as the backup shows|Nothing new was ordered/i

/** Whether the text says that nothing was ordered or charged. */
export const denies = (text: string): boolean => denial.test(text) && !notTheBots.test(text)

/** Whether the text says that there may be a charge. */
export const isDoubt = (text: string): boolean =>
  /unconfirmed|to review|may have been charged|maybe charged|was charged for/i.test(text)

/** Whether the text says that more was charged than one order costs. */
export const saysTwice = (text: string): boolean =>
  /charged (?:twice|\d+ times|too much)|charged .*instead of|two references|second reference|the provider charged/i.test(
    text,
  )

/** Whether the text tells an agent that the owner has removed or paused them. */
export const isDismissal = (text: string): boolean => /^The owner has removed you/.test(text)
export const isPause = (text: string): boolean => /You’re paused/.test(text)

/** Whether the text says that an order was not delivered, even if only a callback said so. */
export const saysFailed = (text: string): boolean =>
  /\b(?:failed|cancelled|refunded|rejected|not placed)\b/.test(text)

/** Whether the text says that the number got the same bundle minutes ago. */
export const asksForSame = (text: string): boolean => /Send again\?|Nothing new was ordered/.test(text)

/** Whether the text says that money came back. */
export const tellsRefund = (text: string): boolean =>
  /\brefunded\b|in refunds|came back|back in (?:your|the) wallet/i.test(text)

/** Whether the text is the closing message of the list of `total` numbers, or a later one about it. */
export const isListDone = (text: string, total: number): boolean =>
  new RegExp(`List of ${total.toLocaleString('en')} numbers?: (?:not )?done|the list of`).test(text)

/** Whether the text is about the setting for messages about problems only. */
export const isOfProblemsOnly = (text: string): boolean => /problems only/i.test(text)

/** Whether the text says that the charge differs from the confirmed price. */
export const saysOtherCharge = (text: string): boolean =>
  saysTwice(text) || /a different amount|the amount is different|You confirmed GHS/.test(text)

/** Whether the text is a digest that only counts some of the news. */
export const sumsUp = (text: string): boolean =>
  /^(While I couldn’t write|During your quiet hours)[\s\S]*\n… and .* more: /.test(text)

/** The words for the ends that the bot decides itself. */
const wordFor: Readonly<Record<string, RegExp>> = {
  rejected: /rejected/,
  not_placed: /not placed/,
  review: /to review|You said (?:that )?it was charged/,
  cancelled: /cancelled/,
}

export const finalStatuses: ReadonlySet<string> = new Set(['delivered', 'failed', 'cancelled', 'refunded'])

/** Matches the words that tell the order's end; null if it has not ended. */
export const endOf = ({ placement, status }: { placement: string; status: string | null }): RegExp | null => {
  if (placement !== 'placed') return wordFor[placement] ?? null
  return status !== null && finalStatuses.has(status) ? new RegExp(`\\b${status}\\b`) : null
}

export const nameOf = ({ placement, status }: { placement: string; status: string | null }): string =>
  placement === 'placed' ? String(status) : placement

/** The state that a card shows, as in `GHS 23.50 · processing`; null if it shows none. */
export const cardWord = (text: string): string | null =>
  / · ((?:waiting|sending|processing|placed|unconfirmed|not placed|rejected|to review|cancelled|expired|delivered|failed|refunded|stale).*)/.exec(
    text,
  )?.[1] ?? null

/** Masks phone numbers for printing. */
export const masked = (text: string): string =>
  text.replaceAll(/(?<!\d)(0\d\d)\d{3}(\d{4})(?!\d)/g, '$1•••$2')
