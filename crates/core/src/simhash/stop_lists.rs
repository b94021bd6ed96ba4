//! Function words of a few languages: articles, pronouns, prepositions, conjunctions, auxiliaries.
//!
//! Frozen with the version of the recipe: a word more or less is another fingerprint.

/// Languages by their two letters, in order, and their words.
pub(super) const LISTS: [(&str, &str); 7] = [
    (
        "de",
        "der die das den dem des ein eine einen einem einer eines kein keine keinen und oder aber denn sondern doch wenn als \
         weil dass ob wie wo wer was welche welcher welches ich du er sie es wir ihr mich mir dich dir ihn ihm uns euch sich \
         mein dein sein unser euer meine seine ihre ihrer ihren ihrem seinen seiner ist sind war waren bin bist wird werden \
         wurde wurden worden hat haben hatte hatten kann können konnte muss müssen soll sollen sollte will wollen darf \
         dürfen mag in im an am auf aus bei beim mit nach von vom vor zu zum zur für durch gegen ohne um über unter \
         zwischen während bis seit nicht nur auch noch schon so sehr mehr dann da hier dort dieser diese dieses diesem \
         diesen jeder jede jedes alle man",
    ),
    (
        "en",
        "a an the this that these those and or but nor if then than because while although though as until unless since so \
         i you he she it we they me him her us them my your his its our their mine yours hers ours theirs myself himself \
         itself themselves who whom whose which what when where why how am is are was were be been being have has had having \
         do does did doing will would shall should can could may might must not no of in on at by for with about against \
         between into through during before after above below to from up down out over under again there here all any both \
         each few more most other some such only own same too very just also",
    ),
    (
        "es",
        "el la los las un una unos unas lo al del y e o u ni pero sino que si como cuando donde quien quienes cual cuales cuyo \
         porque aunque mientras pues yo tú él ella ello nosotros vosotros ellos ellas usted ustedes me te se nos os le les mi \
         mis tu tus su sus nuestro nuestra nuestros nuestras este esta esto estos estas ese esa eso esos esas aquel aquella \
         aquello es son era eran fue fueron ser sido está están estaba estar ha han había haber hay he tiene tienen puede \
         pueden debe a ante bajo con contra de desde en entre hacia hasta para por según sin sobre tras no sí ya muy más \
         menos también tan tanto todo toda todos todas otro otra otros otras",
    ),
    (
        "fr",
        "le la les un une des du de au aux et ou mais donc or ni car que qui quoi dont où si comme quand lorsque puisque \
         parce je tu il elle on nous vous ils elles me te se lui leur leurs eux mon ton son ma ta sa mes tes ses notre nos \
         votre vos ce cet cette ces celui celle ceux celles cela ceci ça est sont était étaient être été suis sera seront \
         serait a ont avait avaient avoir eu ai aura fait faire peut peuvent doit doivent à dans par pour en vers avec \
         sans sous sur entre chez contre depuis pendant avant après ne pas plus moins non y aussi très bien encore \
         tout toute tous toutes autre autres même mêmes quel quelle",
    ),
    (
        "it",
        "il lo la i gli le un uno una di a da in con su per tra fra del dello della dei degli delle al allo alla ai agli alle \
         dal dallo dalla dai dagli dalle nel nello nella nei negli nelle sul sullo sulla sui sugli sulle e ed o ma anche se \
         che chi cui come quando dove perché mentre quindi però io tu lui lei noi voi loro mi ti si ci vi ne mio tuo suo sua \
         suoi sue nostro vostro questo questa questi queste quello quella quelli quelle è sono era erano essere stato stata \
         ha hanno aveva avere ho può possono deve non più meno molto già ancora così tutto tutti tutte altro altri altre",
    ),
    (
        "nl",
        "de het een der des en of maar want dus dat die dit deze als dan omdat terwijl hoewel toen wanneer waar wie wat welke \
         hoe ik jij je hij zij ze wij we jullie u mij me hem haar ons hen hun zich mijn jouw zijn uw onze is was waren ben \
         bent wordt worden werd werden geworden geweest heeft hebben had hadden kan kunnen kon moet moeten moest zal zullen \
         zou zouden mag mogen wil willen in op aan bij met van voor door uit om over onder tussen tegen tot naar na zonder \
         tijdens sinds te ten ter er hier daar niet geen wel ook nog al zo zeer meer minder alle alles elk elke ander andere \
         zelf men",
    ),
    (
        "pt",
        "o a os as um uma uns umas de do da dos das em no na nos nas ao aos à às por pelo pela pelos pelas para com sem sob \
         sobre entre até desde contra e ou mas nem se que quem qual quais cujo como quando onde porque embora enquanto pois \
         eu tu ele ela nós vós eles elas você vocês me te lhe lhes meu minha teu tua seu sua seus suas nosso nossa este \
         esta isto estes estas esse essa isso esses essas aquele aquela aquilo é são era eram foi foram ser sido está estão \
         estava estar tem têm tinha ter há haver pode podem deve não sim já muito mais menos também tão todo toda todos \
         todas outro outra outros outras",
    ),
];
