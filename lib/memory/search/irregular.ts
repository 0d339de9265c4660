/**
 * English words of which no ending tells what they are a form of: "went" is found by "go". Pure.
 *
 * Those are left out whose form is a word of its own as often: "left", "saw", "found" stay.
 *
 * @module
 */

const FORMS =
  "go:went,gone buy:bought take:took,taken make:made give:gave,given come:came see:seen " +
  "know:knew,known think:thought feel:felt keep:kept lose:lost win:won meet:met tell:told " +
  "teach:taught catch:caught bring:brought build:built spend:spent send:sent lend:lent " +
  "begin:began,begun break:broke,broken choose:chose,chosen write:wrote,written " +
  "rewrite:rewrote,rewritten drive:drove,driven ride:rode,ridden eat:ate,eaten drink:drank,drunk " +
  "run:ran sing:sang,sung swim:swam,swum speak:spoke,spoken steal:stole,stolen wake:woke,woken " +
  "wear:wore,worn tear:tore,torn draw:drew,drawn grow:grew,grown throw:threw,thrown " +
  "fly:flew,flown show:shown sell:sold hold:held stand:stood understand:understood fight:fought " +
  "seek:sought hear:heard pay:paid lay:laid lead:led feed:fed sleep:slept sweep:swept deal:dealt " +
  "mean:meant shoot:shot sit:sat hang:hung stick:stuck strike:struck dig:dug fall:fell,fallen " +
  "hide:hid,hidden bite:bit,bitten forget:forgot,forgotten freeze:froze,frozen rise:rose,risen " +
  "shake:shook,shaken become:became override:overrode,overridden child:children man:men woman:women " +
  "person:people mouse:mice foot:feet tooth:teeth life:lives wife:wives knife:knives leaf:leaves " +
  "half:halves index:indices,indexes vertex:vertices matrix:matrices good:better,best " +
  "bad:worse,worst";

/** By its form, the word itself. */
export const IRREGULAR: ReadonlyMap<string, string> = new Map(
  FORMS.split(" ").flatMap((entry) => {
    const [word, forms] = entry.split(":");
    return forms.split(",").map((form) => [form, word] as const);
  }),
);
