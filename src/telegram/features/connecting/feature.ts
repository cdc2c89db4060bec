import type { Answers, Feature } from '../feature.ts'
import { member } from '../guards/guards.ts'
import { answerSame, answerSwitch, connect, refuseFile, refuseForwarded, takeCredentials } from './connect.ts'
import { answerDisconnect, disconnect } from './disconnect.ts'

const credential = {
  secret: { forwarded: refuseForwarded, file: refuseFile },
  text: (ctx, { question, text }) => takeCredentials(ctx, question.what, text),
} satisfies Answers<{ what: 'key' } | { what: 'secret' }>

/** Connecting an account, changing its key, and leaving the account. */
export const connecting = {
  commands: {
    connect: { run: connect, keepsQuestion: true },
    disconnect: { run: member(disconnect) },
  },
  presses: {
    connect: (ctx) => connect(ctx),
    switch: (ctx, { sure, untilMs }) => answerSwitch(ctx, sure, new Date(untilMs)),
    replace_key: (ctx, { untilMs }) => answerSame(ctx, new Date(untilMs)),
    disconnect: (ctx, { accountId, when }) => answerDisconnect(ctx, accountId, when),
  },
  questions: { key: credential, secret: credential },
} satisfies Feature
