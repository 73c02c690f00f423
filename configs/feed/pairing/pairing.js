"use strict";
// What is paired, and the way there: connecting → need_scan → ready, or logged_out when a saved session is unusable.
//
// The credential of a qr connector is the session on disk, so it lives in auth/ beside this file: that directory
// survives updates, and no other connector sees it. It is written whole or not at all, and only its owner may read it.

const crypto = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");

const AUTH_DIR = path.join(__dirname, "auth");
const SESSION_FILE = path.join(AUTH_DIR, "session.json");

const CONNECT_MS = 250; // stands for the round trip in which a real service hands out a code
const CODE_LIFE_MS = 5 * 60_000; // a picture that somebody photographed is of no use to them tomorrow
const WRONG_TRIES = 3; // then the code is replaced: guessing never gets nearer
const CODE_LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789"; // none that look alike: no I, L, O, U, 0, 1

class Pairing {
  state = "connecting";
  code = null; // while need_scan
  session = null; // while ready

  // start reads the saved session, or begins to pair.
  start() {
    try {
      this.session = readSession();
    } catch (err) {
      console.error(`pairing: cannot read ${SESSION_FILE}: ${err.message}`);
      this.state = "logged_out";
      return;
    }
    if (this.session) this.state = "ready";
    else this.connect();
  }

  connect() {
    this.state = "connecting";
    // unref: a server whose stdin has ended exits now, not when this timer is through.
    setTimeout(() => this.newCode(), CONNECT_MS).unref();
  }

  newCode() {
    const letters = Array.from({ length: 8 }, () => CODE_LETTERS[crypto.randomInt(CODE_LETTERS.length)]);
    letters.splice(4, 0, "-");
    this.state = "need_scan";
    this.code = { text: letters.join(""), expires: Date.now() + CODE_LIFE_MS, triesLeft: WRONG_TRIES };
  }

  // currentCode is the text of the picture, replaced when it has expired.
  currentCode() {
    if (Date.now() >= this.code.expires) this.newCode();
    return this.code.text;
  }

  // confirm takes the code from the picture. It throws an Error for people to read, and only a right code changes the state.
  confirm(given) {
    if (this.state === "ready") throw new Error("cannot confirm: already paired; log out first to pair again");
    if (this.state !== "need_scan") throw new Error("cannot confirm: there is no code yet; open the login panel first");
    if (Date.now() >= this.code.expires) {
      this.newCode();
      throw new Error("cannot confirm: the code has expired; scan the new picture");
    }
    if (plain(given) !== plain(this.code.text)) this.refuseWrongCode();
    this.session = writeSession({ device: crypto.randomUUID(), linked_at: new Date().toISOString() });
    this.state = "ready";
    this.code = null; // used once
  }

  refuseWrongCode() {
    this.code.triesLeft--;
    if (this.code.triesLeft > 0) throw new Error(`cannot confirm: wrong code; tries left: ${this.code.triesLeft}`);
    this.newCode();
    throw new Error(`cannot confirm: wrong code, ${WRONG_TRIES} times; scan the new picture`);
  }

  // logout forgets the session, on disk first, and begins to pair anew.
  logout() {
    fs.rmSync(AUTH_DIR, { recursive: true, force: true });
    this.session = null;
    this.code = null;
    this.connect();
  }
}

// plain makes a code comparable however a person typed it.
function plain(code) {
  return code.toUpperCase().replace(/[^A-Z0-9]/g, "");
}

// readSession returns null when there is none, and throws when there is one that it cannot use.
function readSession() {
  let text;
  try {
    text = fs.readFileSync(SESSION_FILE, "utf8");
  } catch (err) {
    if (err.code === "ENOENT") return null;
    throw err;
  }
  const session = JSON.parse(text);
  if (typeof session?.device !== "string" || typeof session.linked_at !== "string") throw new Error("not a session");
  return session;
}

// writeSession writes beside the file and renames: a crash leaves the old session or the new one.
function writeSession(session) {
  fs.mkdirSync(AUTH_DIR, { recursive: true, mode: 0o700 });
  const draft = `${SESSION_FILE}.new`;
  fs.rmSync(draft, { force: true }); // left by a crash, perhaps with other permissions
  const file = fs.openSync(draft, "wx", 0o600);
  try {
    fs.writeSync(file, JSON.stringify(session));
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
  fs.renameSync(draft, SESSION_FILE);
  return session;
}

module.exports = { Pairing };
