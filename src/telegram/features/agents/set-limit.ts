import type { Party } from '../../../accounts/agency.ts'
import { pesewas } from '../../../provider/money.ts'
import { readAmount } from '../../../shop/written-amount.ts'
import type { AgentPatch, Member } from '../../../store/accounts/accounts.ts'
import { agentLabels } from '../../cards/words/team.ts'
import { type BotContext, forgetQuestion, type Question } from '../../chat/context.ts'
import { inRows, type Screen } from '../../chat/screen.ts'
import { chosenLabel } from '../../words/labels.ts'
import type { Answer } from '../feature.ts'
import { agentButton, cancelButton } from './agent-screens.ts'
import { agentOf, changeAgent, gone } from './one-agent.ts'
import * as words from './words.ts'

/** Limits that have a button. Other limits can be typed. */
const limits = [5_000, 10_000, 20_000, 50_000].map(pesewas)

export const limitScreen = (agent: Member): Screen => {
  const { userId: id, dailyLimitPesewas: limit } = agent
  const buttons = limits.map((pesewas) =>
    agentButton(words.limitLabel(pesewas, pesewas === limit), { act: 'set_limit', id, pesewas }),
  )
  const none = agentButton(chosenLabel(agentLabels.noLimit, limit === null), {
    act: 'set_limit',
    id,
    pesewas: null,
  })
  return {
    text: words.askLimit(agent.name, limit),
    rows: [...inRows(buttons, 2), [none, cancelButton(agent)]],
  }
}

/** The change that sets an agent's daily limit. It also ends a limit that was raised for today. */
export const limitPatch = (dailyLimitPesewas: Member['dailyLimitPesewas']): AgentPatch => ({
  dailyLimitPesewas,
  raisedPesewas: null,
  raisedAt: null,
  askedAt: null,
  askedFor: null,
})

/** Takes the typed limit of an agent. A limit of 0 is explained before it is set. */
export const takeLimit = async (
  ctx: BotContext,
  owner: Party,
  { question, text }: Answer<Extract<Question, { what: 'agent_limit' }>>,
): Promise<void> => {
  const agent = await agentOf(ctx.services, owner, question.agentId)
  if (!agent) {
    await forgetQuestion(ctx)
    return gone(ctx, owner)
  }
  const isNone = /^(none|no|no limit)$/i.test(text.trim())
  const amount = readAmount(text)
  if (!isNone && amount.kind === 'refused')
    return ctx.talk.say({ text: words.notALimit(text), rows: [[cancelButton(agent)]] })
  await forgetQuestion(ctx)
  const limit = amount.kind === 'amount' ? amount.pesewas : null
  if (limit === 0) return ctx.talk.say(zeroScreen(agent))
  return changeAgent(ctx, owner, agent, limitPatch(limit))
}

const zeroScreen = (agent: Member): Screen => {
  const { userId: id, name } = agent
  return {
    text: words.askZero(name),
    rows: [
      [
        agentButton(agentLabels.pause, { act: 'pause', id, paused: true }),
        agentButton(agentLabels.setZero, { act: 'set_limit', id, pesewas: pesewas(0) }),
      ],
      [cancelButton(agent)],
    ],
  }
}
