/** The words for people, animals, things and occasions, as `vocabulary.ts` has them for places. */
import type { Entry } from "./vocabulary.ts";
import type { SceneName } from "./names.ts";

const entry = (scene: SceneName, kind: string, weight: Entry["weight"], words: string): Entry => ({
  scene,
  kind,
  weight,
  words,
});

export const THINGS: readonly Entry[] = [
  entry(
    "people",
    "person",
    3,
    "woman man girl boy person portrait founder owner student teacher doctor nurse hairdresser grandmother grandfather " +
      "mother father child kid baby volunteer speaker smiling smile frau mann madchen junge ein_kind das_kind person portrat grunder* inhaberin inhaber " +
      "lehrer* arztin arzt friseur* femme homme fille garcon enfant portrait fondatrice mujer hombre nina nino retrato fundadora " +
      "donna uomo ragazza ragazzo bambin* ritratto mulher homem menina menino crianca retrato 女性 男性 人物 子供 女の子 男の子 笑顔 先生 ポートレート",
  ),
  entry(
    "people",
    "worker",
    3,
    "barista baker chef waiter waitress cook shopkeeper craftsman craftswoman artisan_portrait farmer gardener_smiling employee apprentice " +
      "backer backerin koch kochin kellner* verkauferin verkaufer azubi mitarbeiterin mitarbeiter boulanger boulangere cuisinier* serveu* panadero " +
      "panadera cocinero cocinera camarer* panettiere fornaio cuoco cuoca padeiro cozinheir* バリスタ シェフ 料理人 パン職人 店員",
  ),
  entry(
    "people",
    "group",
    3,
    "family families friends couples young_couple happy_couple group crowd community customers guests neighbours neighbors kids children parents women men " +
      "familie* freunde ehepaar brautpaar gaste kinder eltern kundinnen famille amis un_couple enfants familia amigos pareja ninos " +
      "famiglia amici coppia bambini familia casal criancas 人々 家族 友達 仲間 子どもたち 夫婦",
  ),
  entry(
    "people",
    "person",
    2,
    "haircut hairstyle barber* hair_salon nail_salon beauty_salon dentist therapist coach friseursalon zahnarzt* haarschnitt coiffeur* dentiste " +
      "peluquer* dentista parrucchier* cabeleireir* 美容院 美容師 ヘアサロン 歯医者",
  ),
  entry(
    "team",
    "table",
    2,
    "class classes course courses lesson lessons tutoring training_course school seminar* unterricht kurs kurse *kurs *kurse schule cours clase clases " +
      "curso cursos corso corsi lezione aula aulas 授業 教室 学校 講座 セミナー",
  ),
  entry(
    "people",
    "group",
    2,
    "volunteers donation* charity nonprofit ehrenamt* spende* benevol* don donacion* voluntari* donazion* doacao ボランティア 寄付 people menschen leute gens gente personas persone pessoas",
  ),
  entry(
    "team",
    "table",
    3,
    "team* colleague* meeting* coworker* co-worker* coworking brainstorm* standup whiteboard board_meeting strategy_session hiring staff crew " +
      "interview conference_room workshop_participants kollegen kolleginnen besprechung* teamsitzung mitarbeitende belegschaft teambesprechung " +
      "equipe reunion* collegues equipo reunion companeros squadra riunione colleghi equipa reuniao colegas " +
      "チーム 会議 ミーティング 同僚 打ち合わせ 社員",
  ),
  entry(
    "vehicle",
    "bicycle",
    3,
    "bicycle* bike bikes biking cyclist* cycling e-bike e-bikes ebike* fahrrad* fahrrader *fahrrad *fahrrader ein_rad rader radtour lastenrad* radfahr* velo velos cyclis* " +
      "bicicleta* bici bicis ciclis* bicicletta biciclette ciclist* 自転車 サイクリング バイシクル",
  ),
  entry(
    "vehicle",
    "car",
    3,
    "car cars automobile vehicle roadtrip road_trip suv driving garage driver auto autos *auto wagen *wagen fahrzeug* autohaus voiture* automobil* coche* " +
      "carro carros macchina automobile 車 自動車 ドライブ カー",
  ),
  entry(
    "vehicle",
    "van",
    3,
    "van vans truck delivery courier camper campervan food_truck foodtruck bus transporter lieferwagen lkw wohnmobil lieferung *lieferung camion* livraison fourgon* " +
      "camioneta furgoneta furgone consegna caminhao entrega autobus トラック 配達 バス 宅配",
  ),
  entry(
    "vehicle",
    "boat",
    3,
    "boat boats sailboat sailing yacht ship ferry kayak boot boote segelboot segeln schiff bateau* voilier barco velero barca vela veliero navio 船 ボート ヨット",
  ),
  entry(
    "animal",
    "dog",
    3,
    "dog dogs puppy puppies canine animal animals pet pets vet veterinarian hund hunde *hund hunde* welpe* tiere haustier* tierarzt* chien* chiot* animaux " +
      "perro* cachorro* mascota* veterinari* cane cani cucciolo animali cao caes filhote 犬 子犬 ペット 動物 いぬ ワンちゃん 獣医",
  ),
  entry(
    "animal",
    "cat",
    3,
    "cat cats kitten* kitty katze* *katze katzen* kater chaton* le_chat un_chat notre_chat chats gato* gatito* gatto gatti gattino 猫 子猫 ねこ ネコ",
  ),
  entry(
    "animal",
    "bird",
    3,
    "bird* robin sparrow parrot owl chicken hen vogel vogel* papagei oiseau* pajaro* ave aves uccello uccelli passaro* 鳥 小鳥",
  ),
  entry(
    "animal",
    "horse",
    3,
    "horse* pony riding pferd* reiten cheval chevaux caballo* cavallo cavalli cavalo* 馬 乗馬",
  ),
  entry(
    "sale",
    "bags",
    3,
    "sale sales discount* special_offer offers bargain* clearance black_friday cyber_monday deals promo promotion promotions promocode voucher* coupon* percent_off half_price " +
      "rabatt* angebot* *angebot schlussverkauf *verkauf ausverkauf gutschein* aktion solde soldes promotion remise* reduction rebaja* oferta* descuento* " +
      "saldi sconto sconti offerta offerte promozione desconto* promocao promocoes liquidacao セール 割引 特価 バーゲン お得 キャンペーン",
  ),
  entry(
    "sale",
    "gift",
    3,
    "mother_s_day father_s_day valentine valentines muttertag vatertag valentinstag gift gifts gift_card giveaway raffle gewinnspiel geschenk* *geschenk cadeau* tirage regalo* sorteo omaggio presente_de_natal sorteio " +
      "ギフト プレゼント 贈り物 抽選",
  ),
  entry(
    "event",
    "concert",
    3,
    "concert* guitar* piano* gitarre* klavier* music musician* festival* gig band live_music stage dj nightlife club_night theatre theater konzert* *konzert buhne livemusik auftritt spectacle " +
      "scene_ouverte concierto* escenario concerti concerto palco spettacolo espetaculo コンサート ライブ フェス ステージ 音楽祭",
  ),
  entry(
    "event",
    "party",
    3,
    "party fireworks feuerwerk* silvester new_year new_years carnival karneval fasching halloween easter ostern birthday anniversary celebration celebrate* wedding grand_opening open_day open_house launch_party event events invitation balloon* confetti " +
      "fest feste *fest feier* *feier geburtstag* hochzeit* jubilaum* eroffnung* *eroffnung veranstaltung* tag_der_offenen_tur fete anniversaire mariage inauguration " +
      "evenement* fiesta* cumpleanos boda inauguracion aniversario evento* compleanno matrimonio inaugurazione festa* aniversario casamento " +
      "パーティー 誕生日 記念 お祝い オープン イベント 結婚式 周年",
  ),
  entry(
    "event",
    "market",
    3,
    "market market_stall farmers_market flea_market craft_fair fun_fair bazaar *markt markt wochenmarkt flohmarkt marche_de marche mercado feria mercato fiera feira 市場 マルシェ 祭り お祭り",
  ),
  entry(
    "event",
    "christmas",
    3,
    "christmas xmas advent* noel weihnacht* *weihnachts* nikolaus navidad* natale natal クリスマス",
  ),
  entry(
    "sport",
    "yoga",
    3,
    "yoga pilates meditation meditate wellness mindfulness stretching spa yoga* entspannung achtsamkeit bien-etre meditacion bienestar meditazione benessere " +
      "meditacao bem-estar ヨガ 瞑想 ストレッチ ピラティス",
  ),
  entry(
    "sport",
    "run",
    3,
    "runner* running_club running_group trail_running morning_run half_marathon going_running swim swimming swimmer* dance dancing dancer* climbing jog* marathon fitness workout training athlete* sport sports gym laufer* laufen lauf *lauf laufgruppe fitness* sport* coureur* course_a_pied " +
      "correr corredor* carrera deporte entrenamiento corsa corridore allenamento palestra corrida treino academia ランニング マラソン フィットネス ジム 運動 スポーツ",
  ),
  entry(
    "sport",
    "ball",
    3,
    "football soccer basketball tennis volleyball match_day goal_scored fussball* handball ballon_de_foot futbol calcio futebol サッカー テニス バスケ",
  ),
  entry(
    "notice",
    "quote",
    3,
    "quote quotes testimonial review reviews feedback faq question questions q&a zitat* spruch kundenstimme* bewertung* frage fragen citation* temoignage* avis " +
      "cita resena* preguntas testimonio citazione recensione domande citacao depoimento perguntas 名言 口コミ 質問 お客様の声",
  ),
  entry(
    "notice",
    "calendar",
    3,
    "calendar schedule save_the_date opening_hours deadline appointment* booking bookings countdown kalender termin termine *termin offnungszeiten frist anmeldung " +
      "calendrier horaires rendez-vous calendario horario* cita_previa orari appuntament* agenda カレンダー 予約 営業時間 スケジュール",
  ),
  entry(
    "notice",
    "poster",
    3,
    "announcement announcing poster infographic headline text-heavy flyer slogan typography typographic lettering banner big_text bold_text text news update tips checklist list steps " +
      "guide thank_you notice sign ankundigung* plakat* infografik* uberschrift hinweis* neuigkeit* tipps checkliste danke aushang annonce affiche infographie conseils merci anuncio cartel " +
      "infografia consejos gracias noticia annuncio manifesto consigli grazie novita anuncio cartaz dicas obrigado お知らせ ポスター 告知 ヒント ニュース ありがとう",
  ),
  entry(
    "notice",
    "poster",
    1,
    "hiring vacancy job jobs stellenangebot stelle karriere emploi recrutement empleo lavoro vaga 求人 採用",
  ),
];
