import { parseHtml } from '../../../src/sandbox/telegram/html.ts'

/**
 * The rules of plain words. `testTexts` checks them for each export of a file in `telegram/texts/`.
 *
 * To add a text, add a row to the table in its file's test; the type `Wording` asks for it. Then name it in `plain` if
 * it stands on a button or answers a press, in `parts` if it stands only inside other texts, and in `toAgents` if
 * agents read it. `offenders` names the texts that still break a rule. It only shrinks.
 */

const aPage = 'A page of a list: a line for each.'

/** The only texts that may be longer than 600 characters, by export, each with the reason. */
export const mayBeLong: Readonly<Record<string, string>> = {
  ...{ agents: aPage, owners: aPage, book: aPage, searched: aPage, unfollowed: aPage, entries: aPage },
  ...{ notices: aPage, orders: aPage, callbacks: aPage, bots: aPage, accounts: aPage, blockedChats: aPage },
  ...{
    listDraft: aPage,
    tiersScreen: aPage,
    accountEvents: aPage,
    allEvents: aPage,
    invitations: aPage,
    priceBlock: aPage,
  },
  imported: 'Names each line that was not saved.',
  audit: 'Names each charge that no order explains.',
  digest: 'Gathers what came in quiet hours.',
  stats: 'A line for each network, and for each sum.',
}

const aCard = 'A card or a table: the facts, a line each.'
const aReport = 'A report: a line for each thing that it tells.'
const aMenu = 'Says what each of its buttons does, a line each.'
const anEnd = 'Cannot be undone: what goes, what stays and what is cancelled, a line each.'

/** The only texts that may have more than three lines, by export, each with the reason. Those that may be long are, too. */
export const mayHaveMoreLines: Readonly<Record<string, string>> = {
  ...{
    agent: aCard,
    agentBalance: aCard,
    agentHome: aCard,
    answer: aCard,
    balance: aCard,
    bundlePrice: aCard,
  },
  ...{ callback: aCard, connected: aCard, customer: aCard, draft: aCard, enquiry: aCard, followed: aCard },
  ...{
    bot: aCard,
    home: aCard,
    invitationReady: aCard,
    listCard: aCard,
    lookedUpElsewhere: aCard,
    notice: aCard,
  },
  ...{
    order: aCard,
    orderCard: aCard,
    priceSaved: aCard,
    receipt: aCard,
    sharedCard: aCard,
    askSoldFor: aCard,
  },
  ...{ entryLine: aCard, networks: aCard, settings: aCard, overview: aCard, stuck: aCard },
  ...{ shopScreen: aCard, sellingMenu: aCard, tierScreen: aCard, maintenanceOn: aCard, welcomeAgent: aCard },
  ...{ announceDoubt: aReport, listDone: aReport, listHasChanged: aReport, historyPage: aReport },
  ...{ priceListTexts: aReport, referencesText: aReport, reportText: aReport, retryText: aReport },
  ...{ summary: aReport, undone: aReport, help: aMenu, helpOn: aMenu, topic: aMenu, prefixes: aMenu },
  ...{ askDisconnectOpen: aMenu, askPrices: aMenu, askSwitch: aMenu, askTold: aMenu, ruleScreen: aMenu },
  ...{ repeatsText: aMenu, askForget: anEnd, forgotten: anEnd, disconnected: anEnd },
}

const mostLines = 3
const mostCharacters = 600
const mostWords = 25

/** The words of the machine room. */
const machineWords = /\b(callback|record|placement|pair(?:s|ed|ing)? up)s?\b/i

const nouns =
  'order|number|line|customer|message|minute|hour|day|agent|file|row|recipient|entry|notice|chat|account|question|invitation|report|change|bundle|amount|owner|person|time|lookup|sheet|network|charge|debit|refund|size|digit|name|price|part|page|reference|event|week'
const singular = `(?:${nouns})`
const plural = `(?:${nouns.replace('entry', 'entrie').replace('person', 'people|person')})s|people`

/** Before a number that counts the next word. Phones, times, money, `1 of 3` and `5GB for 2 numbers` do not. */
const counting = '(?<![\\d.,:/+#•–-]|GHS |\\d of |for |last |page |[Ll]ine |[Ee]ntry )'
const wrongNumbers = [
  new RegExp(`${counting}\\b(?:1|[Oo]ne) (?:${plural})\\b`),
  new RegExp(`${counting}\\b(?:1|[Oo]ne)(?: ${singular})? (?:are|were|have|wait|stand|look)\\b`),
  new RegExp(`${counting}\\b(?:0|[2-9]|[1-9][\\d,]*\\d) ${singular}\\b(?!’)`),
  new RegExp(
    `${counting}(?<!of )\\b(?:0|[2-9]|[1-9][\\d,]*\\d)(?: (?:${plural}))? (?:is|was|has|waits|stands|looks)\\b`,
  ),
]

/** The text without what others wrote: values to copy, quotations, links. */
const withoutValues = (html: string): string => {
  const { text, entities } = parseHtml(html)
  const foreign = entities.filter(({ type }) => type === 'code' || type === 'pre' || type === 'blockquote')
  return (
    foreign
      .sort((one, other) => other.offset - one.offset)
      .reduce((rest, { offset, length }) => `${rest.slice(0, offset)}X${rest.slice(offset + length)}`, text)
      .replace(/“[^”\n]*”|https?:\S+/g, 'X')
      // A letter to Unicode, a sign to people.
      .replaceAll('ℹ', '')
  )
}

/** The start of a list item, which need not be a sentence. */
const listed = /^\s*(?:[•✓●○✗↩↳…-]|\d+[.)] )/u

const sentencesOf = (line: string): string[] => line.split(/(?<=[^\s…][.!?…]["”)]?)\s+/)

const wordsOf = (sentence: string): string[] =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))

const beginsLow = (sentence: string): boolean => /^[^\p{L}\p{N}/@<]*\p{Ll}/u.test(sentence)

/** The faults of a text, a sentence each. */
export const faultsOf = (
  html: string,
  { isPart = false, isLong = false, hasMoreLines = false } = {},
): string[] => {
  const shown = parseHtml(html).text
  const own = withoutValues(html)
  const sentences = own.split('\n').flatMap(sentencesOf)
  const begun = isPart
    ? []
    : own
        .split('\n')
        .flatMap((line) =>
          listed.test(line) ? sentencesOf(line.replace(listed, '')).slice(1) : sentencesOf(line),
        )
  const lines = shown.split('\n').filter((line) => line.trim() !== '')
  return [
    ...(lines.length > mostLines && !isPart && !hasMoreLines ? [`${lines.length} lines: ${shown}`] : []),
    ...(shown.length > mostCharacters && !isLong ? [`${shown.length} characters: ${shown}`] : []),
    ...sentences
      .filter((sentence) => wordsOf(sentence).length > mostWords)
      .map((sentence) => `${wordsOf(sentence).length} words: ${sentence}`),
    ...sentences.filter((sentence) => machineWords.test(sentence)).map((each) => `machine word: ${each}`),
    ...sentences
      .filter((sentence) => wrongNumbers.some((wrong) => wrong.test(sentence)))
      .map((each) => `wrong number: ${each}`),
    ...begun.filter(beginsLow).map((each) => `begins in lower case: ${each}`),
  ]
}

/** An agent orders on the owner's wallet, never on their own. */
export const faultsToAgents = (html: string): string[] =>
  /\byour wallet\b/i.test(parseHtml(html).text) ? [`said to an agent: ${html}`] : []
