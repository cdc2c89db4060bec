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
  /nothing (?:was (?:sent or charged|ordered(?! or charged by)|charged)|is charged\b(?! before))|wasn’t (?:sent or )?charged|not charged|was not ordered/i
/** The text quotes the person, or names the time that it is about. */
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

/** Whether the text is a digest that only counts some of the news. */
export const sumsUp = (text: string): boolean =>
  /^(While I couldn’t write|During your quiet hours)[\s\S]*\n… and .* more: /.test(text)

/** The words for the ends that the bot decides itself. */
export const wordFor: Readonly<Record<string, RegExp>> = {
  rejected: /rejected/,
  not_placed: /not placed/,
  review: /to review|You said (?:that )?it was charged/,
  cancelled: /cancelled/,
}

export const finalStatuses: ReadonlySet<string> = new Set(['delivered', 'failed', 'cancelled', 'refunded'])

/** Masks phone numbers for printing. */
export const masked = (text: string): string =>
  text.replaceAll(/(?<!\d)(0\d\d)\d{3}(\d{4})(?!\d)/g, '$1•••$2')
