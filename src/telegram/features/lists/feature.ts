import { readPhone } from '../../../lists/read-phone.ts'
import type { BotContext, Question } from '../../chat/context.ts'
import { numbersStillAsked } from '../buying/words.ts'
import type { Feature } from '../feature.ts'
import { leaving, member, orderer, toastNotYours } from '../guards/guards.ts'
import { bulk, chooseBundle, pressList, showBundles, showNetworks } from './bulk.ts'
import { readEdited } from './edited.ts'
import { takeFile } from './list-file.ts'
import { orderAgain } from './own-file.ts'
import { takeText } from './paste.ts'

/** Lists of orders, typed, forwarded or in a file; their corrections; and edited messages. */
export const lists = {
  commands: {
    bulk: { run: orderer(bulk) },
  },
  presses: {
    bulk: leaving(orderer((ctx, person) => bulk(ctx, person, ''))),
    bulk_networks: leaving(orderer(showNetworks)),
    bulk_bundles: leaving(orderer(showBundles)),
    bulk_bundle: orderer((ctx, person, { bundleId }) => chooseBundle(ctx, person, bundleId)),
    list: member(pressList, toastNotYours),
    own_file: orderer(orderAgain, toastNotYours),
  },
  questions: {
    list: {
      stillAsked: numbersStillAsked,
      takesNumber: (number) => readPhone(number) !== null,
      takesForwarded: () => true,
    },
    fix: { takesForwarded: () => true },
    rest: { takesForwarded: () => true },
  },
  texts: {
    correction: async (ctx, told) => isCorrection(ctx, told.question) && takeText(ctx, told),
    list: async (ctx, told) => !isCorrection(ctx, told.question) && takeText(ctx, told),
  },
  file: takeFile,
  edited: readEdited,
} satisfies Feature

/** Whether a text may correct a list. Such a text is tried as a correction before anything else. */
const isCorrection = (ctx: BotContext, question: Question | null): boolean =>
  question?.what === 'fix' || question?.what === 'rest' || ctx.message?.reply_to_message !== undefined
