import { productsIn } from './meaning/products.ts'
import { nameKey } from './names/contact-name.ts'
import { readSize, writtenSize } from './size.ts'

export type WordCommand =
  | 'start'
  | 'help'
  | 'balance'
  | 'bundles'
  | 'orders'
  | 'transactions'
  | 'export'
  | 'customers'
  | 'agents'
  | 'settings'
  | 'stats'
  | 'status'
  | 'cancel'
  | 'connect'
  | 'buy'
  | 'bulk'
  | 'reminders'

/** What people type instead of a command: in English, pidgin or Twi. Spelled as `nameKey` folds texts. */
const phrases: Record<WordCommand | 'thanks', string> = {
  start:
    'start, menu, main menu, home, back, hello, hi, hey, hiya, greetings, good morning, good afternoon, good evening, morning, afternoon, evening, how are you, how far, chale, charley, charlie, akwaaba, maakye, mema wo akye, maaha, mema wo aha, maadwo, mema wo adwo, ete sen, wo ho te sen',
  help: 'help, help me, how, how to, how to use, how does it work, how does this work, how it works, how to order, how to buy, guide, support',
  balance: 'balance, bal, wallet, wallet balance, account balance, balance left, my money',
  bundles:
    'price, prices, price list, pricelist, rate, rates, cost, costs, how much, how much be, how much e be, e be how much, eye sen, ye sen, bundle, bundles, data, data bundle, data bundles, package, packages, offer, offers',
  orders: 'order, orders, history, order history, last orders',
  transactions: 'transaction, transactions, statement',
  export: 'export, report',
  customers: 'customer, customers, saved numbers',
  agents: 'agent, agents',
  settings: 'setting, settings',
  stats: 'stats, statistics, profit, sales',
  status: 'status, track, track order, check order, order status',
  cancel: 'cancel, stop',
  connect: 'connect, login, log in, sign in, sign up, register',
  buy: 'buy, buy data, buy bundle, buy a bundle, topup, top up',
  bulk: 'bulk, many numbers',
  reminders: 'reminder, reminders, my reminders',
  thanks:
    'thanks, thank, thank you, thank u, tnx, thx, thanks a lot, thank you very much, medaase, meda ase, medase, me da ase, meda wo ase, god bless you',
}

const meanings = new Map(
  Object.entries(phrases).flatMap(([meant, list]) =>
    list.split(', ').map((phrase) => [phrase, meant as keyof typeof phrases] as const),
  ),
)

/** Words that do not change the meaning: polite words, and the small words of a question. */
const manners = new Set(
  'please pls plz kindly abeg chale charley charlie boss bro sir madam mepaakyew paakyew mepakyew mepa wo kyew my the a an is are what whats show check see tell give me i want to know of on for do you have your can get now today dear'.split(
    ' ',
  ),
)

/** In characters. A longer text never calls a command. */
const longest = 80

/**
 * The command that a text calls, with its argument: `balance`, `mtn`, `how much is 5gb mtn`. `thanks` does not call
 * a command but gets an answer. Null for any other text.
 */
export const commandMeant = (text: string): { command: WordCommand; argument: string } | 'thanks' | null => {
  if (text.length > longest) return null
  const words = nameKey(text).split(' ').map(asTwi)
  const whole = meanings.get(words.join(' '))
  if (whole) return answerOf(whole)
  const { rest, network, size, hasUnit } = productsIn(words.filter((word) => !manners.has(word)))
  const meant = meanings.get(rest.join(' ')) ?? meanings.get(withoutGreeting(rest).join(' '))
  if (network !== null || size !== null) {
    // A bare number, such as `5`, can mean anything, so it is not a question about prices.
    const isPrice = meant === 'bundles' || (rest.length === 0 && (network !== null || hasUnit))
    const named = [network, size && writtenSize(size)].filter((each) => each !== null)
    return isPrice ? { command: 'bundles', argument: named.join(' ') } : null
  }
  return meant ? answerOf(meant) : null
}

const answerOf = (meant: WordCommand | 'thanks') =>
  meant === 'thanks' ? meant : { command: meant, argument: '' }

/** Phones without Twi's letters write `3` for \u025b: `3te s3n`. */
const asTwi = (word: string): string =>
  /^[a-z3]*[a-z][a-z3]*$/.test(word) && !readSize(word) ? word.replaceAll('3', 'e') : word

/** `hello boss how much`: removes a greeting before the question. */
const withoutGreeting = (words: readonly string[]): readonly string[] => {
  for (const count of [2, 1])
    if (meanings.get(words.slice(0, count).join(' ')) === 'start' && words.length > count)
      return words.slice(count)
  return words
}
