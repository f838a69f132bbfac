import { endpoint } from '../transport/request/endpoint.js';
import { done, itemsOf } from './answers.js';
import { type CaseInput, type ChannelInput, inChannel, recordId } from './common.js';
import { Message } from './models/index.js';

/** Names a message by its channel. */
export interface MessageInput extends CaseInput, ChannelInput {}

export const listMessages = endpoint<CaseInput>()({
  operation: 'cases.listMessages',
  method: 'GET',
  path: '/case/{case_id}/messages',
  input: { case_id: recordId },
  answer: itemsOf(Message),
});

const message = { case_id: recordId, ...inChannel };

export const addMessage = endpoint<MessageInput>()({
  operation: 'cases.addMessage',
  method: 'POST',
  path: '/case/{case_id}/messages/add',
  input: message,
  encoding: 'form',
  answer: done,
});

export const removeMessage = endpoint<MessageInput>()({
  operation: 'cases.removeMessage',
  method: 'POST',
  path: '/case/{case_id}/messages/remove',
  input: message,
  encoding: 'form',
  answer: done,
});
